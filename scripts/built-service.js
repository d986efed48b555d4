// The built service, as the scripts beside this one start and ask it.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';

const READY_WITHIN_MS = 60_000;

/** The service's own words about a failure, or ours. */
export class ScriptError extends Error {}

/** Starts it and waits until it is ready: on the wanted port, or on any other when somebody has that one. */
export async function startService(variables, wantedPort = 0) {
  const port = await freePort(wantedPort);
  const url = `http://127.0.0.1:${port}`;
  const began = performance.now();
  const child = spawn(process.execPath, [join('dist', 'main.js')], {
    env: { ...process.env, PORT: String(port), ...variables },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const ended = new Promise((done) => child.once('exit', done));
  process.once('exit', () => child.kill('SIGTERM'));
  /** Resolves to its exit code. */
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new ScriptError('The service ended before it was ready.');
    if (performance.now() - began > READY_WITHIN_MS) {
      await stop();
      throw new ScriptError('The service did not become ready within a minute.');
    }
    await new Promise((wake) => setTimeout(wake, 20));
  }
  return { url, pid: child.pid, seconds: (performance.now() - began) / 1000, ended, stop };
}

function isReady(url) {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function freePort(wanted) {
  return new Promise((found, reject) => {
    const probe = createServer();
    probe.once('error', () => (wanted === 0 ? reject(new ScriptError('No port is free.')) : found(freePort(0))));
    probe.listen(wanted, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => found(port));
    });
  });
}

/** Asks the API and returns its answer. A body is sent as JSON, a form as it is. */
export async function call({ url }, method, path, token, body) {
  const isJson = body !== undefined && !(body instanceof FormData);
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(isJson ? { 'content-type': 'application/json' } : {}),
    },
    body: isJson ? JSON.stringify(body) : body,
  });
  const answer = await response.json();
  if (!response.ok) throw new ScriptError(`${method} ${path}: ${answer.message}`);
  return answer;
}
