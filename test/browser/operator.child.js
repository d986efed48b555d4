// Makes companies and users beside the running service, as `admin` does, and reads the modules of the command but once.
import { once } from 'node:events';

const { adminOf } = await import(new URL('../../dist/admin-command.js', import.meta.url).href);

await adminOf(process.env)(async (admin) => {
  process.on('message', ({ id, verb, options }) => {
    admin[verb](options).then(
      ({ record }) => process.send({ id, record }),
      (error) => process.send({ id, error: error.message }),
    );
  });
  // Whoever started it may have gone meanwhile.
  if (process.connected) {
    process.send('ready');
    await once(process, 'disconnect');
  }
  return { text: '', record: {} };
});
