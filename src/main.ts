import { makePrivate } from './adapters/processes/private-files.js';
import 'reflect-metadata';
import { createApp, stopApp } from './app.setup.js';
import { AppConfig } from './config/app-config.js';
import { EnvironmentError, readEnvironment } from './config/environment.js';
import { processVariables } from './config/process-variables.js';
import { createLogger } from './http/logging.js';
import { AppError, isAppError, messageOf } from './shared/app-error.js';

const EXIT_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const STOP_WITHIN_MS = 30_000;

/** Starts the service, or says in a sentence why it can't. */
async function main(): Promise<void> {
  const began = performance.now();
  const config = new AppConfig(readEnvironment(processVariables()));
  const logger = createLogger(config.server.logLevel);
  const { dataDir } = config.storage;
  if (!(await makePrivate(dataDir))) logger.warn({ dataDir }, 'others may read the data folder: it is not our own');
  const app = await createApp({ config, logger });
  warnOfMemory(config, logger);
  try {
    await app.listen({ host: config.server.host, port: config.server.port });
  } catch (error) {
    await app.close();
    throw listenProblem(error, config);
  }
  for (const signal of EXIT_SIGNALS) process.once(signal, () => void stop(app));
  logger.info({ url: await app.getUrl(), ms: Math.round(performance.now() - began) }, 'ready');
}

function warnOfMemory({ memory: { sumMb, limitMb } }: AppConfig, logger: ReturnType<typeof createLogger>): void {
  if (sumMb > limitMb)
    logger.warn(
      { sumMb, limitMb },
      'the processes together may take more memory than there is; queries may be ended early',
    );
}

async function stop(app: Awaited<ReturnType<typeof createApp>>): Promise<void> {
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
  await stopApp(app);
  process.exit(0);
}

function listenProblem(error: unknown, { server }: AppConfig): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const where = `${server.host}:${server.port}`;
  if (code === 'EADDRINUSE')
    return new AppError('unavailable', `${where} is taken by another program: choose another PORT`);
  if (code === 'EACCES')
    return new AppError('unavailable', `${where} may not be used by this user: choose another PORT`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new AppError('unavailable', `${server.host} is not an address of this machine: choose another HOST`);
  }
  return error;
}

main().catch((error: unknown) => {
  const foreseen = error instanceof EnvironmentError || isAppError(error);
  process.stderr.write(`${foreseen ? messageOf(error) : `The service could not start: ${messageOf(error)}`}\n`);
  process.exit(1);
});
