import { t } from '@lingui/core/macro';
import { Modal, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { told } from '../../shared/toast.js';
import type { Wire } from '../../shared/wire.js';
import type { DialogProps } from '../../ui/delete-dialog.js';
import { AlertForm, alertBodyOf } from './alert-form.js';
import { checkedNow } from './alerts.queries.js';

/** A figure that can be watched. */
export interface WatchedFigure {
  readonly datasourceId: string;
  /** Others that it may join. */
  readonly others: readonly string[];
  readonly name: string;
  readonly value: number | null;
  /** One of these gives it. */
  readonly plan: Record<string, unknown> | null;
  readonly dbquery: string;
}

/** Of a plan, what tells whether it gives one figure. */
interface FigurePlan {
  readonly dimensions?: readonly unknown[];
  readonly computed?: readonly unknown[];
}

/** What can be watched of a result: its only number, or the one that its plan works out of the others; null where there are more, or none. */
export function onlyFigureIn(data: Wire['AnswerDataView'] | null, plan: FigurePlan | null): number | null {
  const row = data?.rows.length === 1 ? data.rows[0] : undefined;
  const isOne = row?.length === 1 || (plan !== null && worksOutOne(plan));
  const value = isOne ? row?.at(-1) : null;
  // Sums of fractions carry dust in their last digits.
  return typeof value === 'number' ? Number(value.toPrecision(12)) : null;
}

function worksOutOne({ dimensions = [], computed = [] }: FigurePlan): boolean {
  return dimensions.length === 0 && computed.length > 0;
}

interface AlertMeProps extends DialogProps {
  readonly figure: WatchedFigure;
  /** What is not as it looks on the page. */
  readonly note?: string | null;
}

/** Makes an alert on a figure that is on the page. */
export function AlertMe({
  figure: { datasourceId, others, name, value, plan, dbquery },
  note = null,
  opened,
  onClose,
}: AlertMeProps): ReactNode {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Alert me`} size="lg" centered>
      {note !== null && (
        <Text size="sm" c="dimmed" mb="md">
          {note}
        </Text>
      )}
      <AlertForm
        start={{
          name: name.slice(0, 200),
          type: 'above',
          value: value ?? 0,
          percent: 10,
          rhythm: { minutes: 15, at: null },
          emails: [],
          webhook: false,
        }}
        action={t`Create alert`}
        save={async (draft) => {
          const watched = plan === null ? { dbquery } : { plan };
          const body = { ...alertBodyOf(draft), datasource_id: datasourceId, datasource_ids: [...others], ...watched };
          const { alert } = await call(api.POST('/api/v1/secure/alerts', { body }));
          const { state } = await checkedNow(alert);
          told(
            state === 'firing'
              ? t`Alert created. Its condition is met already. You will find it under Alerts.`
              : t`Alert created. You will find it under Alerts.`,
          );
        }}
        onClose={onClose}
      />
    </Modal>
  );
}
