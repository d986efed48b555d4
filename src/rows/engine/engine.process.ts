import '../../adapters/processes/private-files.js';
import { toWire } from '../process-error.js';
import { EngineDatabase } from './engine-database.js';
import {
  type EngineCommand,
  type EngineMessage,
  type EngineOperation,
  type EngineRequest,
  type EngineStart,
  LacksBatches,
} from './engine-protocol.js';
import { EngineSession } from './engine-session.js';

/** The process that reads the rows: files, and the later rows beside them in memory. */
let session: EngineSession | null = null;

process.on('message', (command: EngineCommand) => {
  switch (command.kind) {
    case 'start':
      void start(command.start);
      break;
    case 'request':
      void answer(command.request);
      break;
    case 'stop':
      void stop();
      break;
  }
});
// The service is gone. What was acknowledged is on the disk, and the next engine waits for the lock.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function start(order: EngineStart): Promise<void> {
  try {
    session = new EngineSession(await EngineDatabase.open(order), order);
    send({ kind: 'ready' });
  } catch (error) {
    send({ kind: 'refused', error: toWire(error) });
  }
}

async function answer<O extends EngineOperation>(request: EngineRequest<O>): Promise<void> {
  const { id } = request;
  try {
    if (!session) throw new Error('the engine is not started');
    const output = await session.handlers[request.operation](request.input, request.timeoutMs);
    send({ kind: 'answer', id, output });
  } catch (error) {
    if (error instanceof LacksBatches) send({ kind: 'lacks', id, above: error.above });
    else send({ kind: 'failure', id, error: toWire(error) });
  }
}

async function stop(): Promise<void> {
  // What can't be closed in order is replayed from its log at the next start.
  await session?.close().catch(() => undefined);
  process.exit(0);
}

function send(message: EngineMessage): void {
  // Nobody is left to be told when this fails; `disconnect` ends the process.
  process.send?.(message, () => undefined);
}
