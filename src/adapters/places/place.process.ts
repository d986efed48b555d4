import '../processes/private-files.js';
import { once } from 'node:events';
import { serveOrder } from '../processes/one-order.js';
import { AllowedAddresses } from './allowed-addresses.js';
import type { PlaceOrder, PlaceSink, PlaceTold } from './place-protocol.js';

/** One place, one process: what its bytes do to this one, they do to nothing else. */
serveOrder(async (order: PlaceOrder, tell: (told: PlaceTold) => Promise<void>): Promise<null> => {
  try {
    await fetchFrom(order, {
      open: (told) => void tell(told),
      write: async (bytes) => {
        if (!process.stdout.write(bytes)) await once(process.stdout, 'drain');
      },
    });
  } finally {
    // What was written lies in the pipe before the end is told.
    await new Promise<void>((ended) => process.stdout.end(ended));
  }
  return null;
});

/** Loads what it takes for this place alone. */
async function fetchFrom(order: PlaceOrder, sink: PlaceSink): Promise<void> {
  const addresses = new AllowedAddresses(order.rules);
  switch (order.place.kind) {
    case 'https':
      return (await import('./web-places.js')).fetchHttps(order, addresses, sink);
    case 's3':
      return (await import('./web-places.js')).fetchS3(order, addresses, sink);
    case 'postgresql':
      return (await import('./databases.js')).fetchPostgresql(order, addresses, sink);
    case 'mysql':
      return (await import('./databases.js')).fetchMysql(order, addresses, sink);
  }
}
