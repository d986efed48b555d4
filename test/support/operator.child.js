// Runs one command of the operator after another, as `admin` does, and reads their modules but once.
import '../../dist/adapters/processes/private-files.js';
import { adminOf } from '../../dist/admin-command.js';
import { runAdmin } from '../../dist/features/admin/admin.commands.js';

process.on('message', async (args) => {
  const said = { out: '', err: '' };
  const code = await runAdmin(args, adminOf(process.env), {
    out: (text) => (said.out += text),
    err: (text) => (said.err += text),
  });
  process.send({ code, ...said });
});
process.on('disconnect', () => process.exit());
