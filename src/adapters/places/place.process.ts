import '../processes/private-files.js';
import { once } from 'node:events';
import { isAppError, messageOf } from '../../shared/app-error.js';
import { AllowedAddresses } from './allowed-addresses.js';
import type { PlaceMessage, PlaceOrder, PlaceSink } from './place-protocol.js';

/** One place, one process: what its bytes do to this one, they do to nothing else. */
process.once('message', (order: PlaceOrder) => {
  void work(order);
});
// Whoever wanted the file is gone.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const sink: PlaceSink = {
  open: (opened) => {
    send({ kind: 'opened', ...opened });
  },
  unchanged: () => {
    send({ kind: 'unchanged' });
  },
  write: async (bytes) => {
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
  },
};

async function work(order: PlaceOrder): Promise<void> {
  const outcome = await outcomeOf(order);
  // What was written lies in the pipe before the end is told.
  process.stdout.end(() => {
    send(outcome, () => process.exit(0));
  });
}

async function outcomeOf(order: PlaceOrder): Promise<PlaceMessage> {
  try {
    await fetchFrom(order);
    return { kind: 'done' };
  } catch (error) {
    return { kind: 'failed', error: isAppError(error) ? error.kind : null, message: messageOf(error) };
  }
}

/** Loads what it takes for this place alone. */
async function fetchFrom({ place, unless, rules }: PlaceOrder): Promise<void> {
  const addresses = new AllowedAddresses(rules);
  switch (place.kind) {
    case 'https':
      return (await import('./web-places.js')).fetchHttps({ place, unless }, addresses, sink);
    case 's3':
      return (await import('./web-places.js')).fetchS3({ place, unless }, addresses, sink);
    case 'postgresql':
      return (await import('./databases.js')).fetchPostgresql(place, { addresses, queryMs: rules.queryMs }, sink);
    case 'mysql':
      return (await import('./databases.js')).fetchMysql(place, { addresses, queryMs: rules.queryMs }, sink);
  }
}

function send(message: PlaceMessage, sent?: () => void): void {
  process.send?.(message, () => sent?.());
}
