import { t } from '@lingui/core/macro';
import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useUser } from '../app/session.js';
import { capabilitiesQuery } from '../shared/queries.js';

const MOST = 20;

interface RecipientsProps {
  /** `Notify by email` unless it is given. */
  readonly label?: string;
  readonly value: readonly string[];
  readonly onChange: (addresses: string[]) => void;
}

/** Who is told by mail; where no mail server is set up, it says so. */
export function RecipientsField({ label = t`Notify by email`, value, onChange }: RecipientsProps): ReactNode {
  const hasMail = useQuery(capabilitiesQuery).data?.mail ?? true;
  const { email } = useUser();
  return (
    <TagsInput
      label={label}
      description={
        hasMail
          ? t`Addresses of people of the company; managers may name others`
          : t`Email is not set up on this service; its operator can do that`
      }
      disabled={!hasMail}
      maxTags={MOST}
      splitChars={[',', ';', ' ']}
      acceptValueOnBlur
      clearable
      data={[email]}
      value={[...value]}
      onChange={onChange}
    />
  );
}
