import './adapters/processes/private-files.js';
import 'reflect-metadata';
import { adminOf } from './admin-command.js';
import { processVariables } from './config/process-variables.js';
import { runAdmin } from './features/admin/admin.commands.js';

// The variables are read when a command needs them: help is there without any.
process.exitCode = await runAdmin(process.argv.slice(2), (act) => adminOf(processVariables())(act), {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
});
