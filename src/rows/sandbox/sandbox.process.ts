import '../../adapters/processes/private-files.js';
import { messageOf } from '../../shared/app-error.js';
import type { SandboxReply, SandboxRequest } from './sandbox-protocol.js';
import { SandboxDatabase, SandboxSession } from './sandbox-session.js';

/**
 * A process that runs one statement after the other over one datasource, whichever the first is about. It is started under an
 * address-space limit, is killed from outside when it does not answer in time, and ends with the process that started it.
 */
const [, , tempDir = '', memoryMb = ''] = process.argv;
let session: SandboxSession | null = null;

process.on('message', (request: SandboxRequest) => {
  void answer(request).then((reply) => {
    tell(reply);
  });
});

// Not `exit`, which would wait for the engine's threads and so for a statement that does not end.
process.on('disconnect', () => {
  process.kill(process.pid, 'SIGKILL');
});

tell({ kind: 'ready' });

async function answer(request: SandboxRequest): Promise<SandboxReply> {
  try {
    const room = { tempDir, memoryMb: Number(memoryMb) };
    session ??= new SandboxSession(await SandboxDatabase.open(request.tables, room), tempDir);
  } catch (error) {
    return { kind: 'unavailable', message: messageOf(error) };
  }
  return session.run(request);
}

function tell(reply: SandboxReply): void {
  process.send?.(reply);
}
