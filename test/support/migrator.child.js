// Runs one migration after another, as `npm run migrate` does, and reads their modules but once: the entry alone is run anew each time.
let run = 0;

process.on('message', async (args) => {
  const said = { out: '', err: '' };
  process.argv.splice(2, Infinity, ...args);
  process.stdout.write = (text) => (said.out += text) !== '';
  process.stderr.write = (text) => (said.err += text) !== '';
  await import(`../../dist/migrate.js?${(run += 1)}`);
  process.send({ code: process.exitCode, ...said });
});
process.on('disconnect', () => process.exit());
