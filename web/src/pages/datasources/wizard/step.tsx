import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

/** One part of the way, as a numbered card. */
export function Step({ number, title, hint, children }: StepProps): ReactNode {
  return (
    <Stack
      component="section"
      className="card"
      gap="md"
      p={{ base: 'md', sm: 'lg' }}
      aria-labelledby={`step-${String(number)}`}
    >
      <div>
        <Title order={2} id={`step-${String(number)}`}>
          {number}. {title}
        </Title>
        {hint !== undefined && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
      {children}
    </Stack>
  );
}
