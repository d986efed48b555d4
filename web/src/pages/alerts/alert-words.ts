import { msg, t } from '@lingui/core/macro';
import { figure, percent } from '../../shared/format.js';
import type { Alert } from './alerts.queries.js';

export const ALERT_STATES = {
  waiting: { label: msg`Not checked yet`, color: 'gray' },
  ok: { label: msg`OK`, color: 'teal' },
  firing: { label: msg`Alert`, color: 'red' },
} as const;

export const EVENT_KINDS = {
  fired: { label: msg`Alert`, color: 'red' },
  resolved: { label: msg`OK again`, color: 'teal' },
  failed: { label: msg`Not checked`, color: 'yellow' },
} as const;

/** When it fires: `above 25`, `changes by 10 % or more`, `no data`. */
export function alertConditionWords({ type, value = 0, percent: by = 0 }: Alert['condition']): string {
  const limit = figure(value);
  const share = percent(by / 100);
  switch (type) {
    case 'above':
      return t`above ${limit}`;
    case 'below':
      return t`below ${limit}`;
    case 'changes':
      return t`changes by ${share} or more`;
    case 'no_data':
      return t`no data`;
  }
}
