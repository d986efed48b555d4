import { t } from '@lingui/core/macro';
import { Affix, Paper, Text, Transition } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useSessionState } from '../app/session.js';
import { useStreamState } from '../app/stream.js';
import classes from './connection.module.css';
import { IconPlugConnectedX } from './icons.js';

const PATIENCE_MS = 2500;

/** Says when the connection is lost for longer than a hiccup, and goes away by itself. */
export function Connection(): ReactNode {
  const isSignedIn = useSessionState() === 'signed-in';
  const isLost = useStreamState() === 'waiting' && isSignedIn;
  const [wasLost] = useDebouncedValue(isLost, PATIENCE_MS);
  return (
    <Affix position={{ bottom: 16, left: 16 }}>
      <Transition mounted={isLost && wasLost} transition="slide-up">
        {(styles) => (
          <Paper className={classes.note} style={styles} role="status" shadow="md" withBorder>
            <IconPlugConnectedX size={18} aria-hidden />
            <Text size="sm">{t`No connection to the service. Trying again…`}</Text>
          </Paper>
        )}
      </Transition>
    </Affix>
  );
}
