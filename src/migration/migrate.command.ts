import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { isAppError, messageOf } from '../shared/app-error.js';
import type { MigrationReport } from './migration.js';

export interface MigrateOptions {
  readonly from: string;
  readonly to: string;
  readonly objects?: string;
}

export type Migrate = (options: MigrateOptions, tell: (progress: string) => void) => Promise<MigrationReport>;

/** Runs the command and returns the exit code: 0 when everything was moved and verified, else 1 with the reason on the error output. */
export async function runMigrate(args: readonly string[], migrate: Migrate): Promise<number> {
  try {
    const options = program()
      .parse([...args], { from: 'user' })
      .opts<MigrateOptions>();
    const report = await migrate(options, (progress) => process.stdout.write(`${progress}\n`));
    process.stdout.write(reportText(report, options));
    if (!report.sound) process.stderr.write('The copy is damaged: empty the target and begin again.\n');
    return report.sound ? 0 : 1;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 1;
    const reason = messageOf(error);
    process.stderr.write(`${isAppError(error) ? reason : `The migration failed: ${reason}`}\n`);
    return 1;
  }
}

function program(): Command {
  return new Command('migrate')
    .description(
      'Moves an embedded installation to MongoDB. The service must not run on either; nothing of the source is changed.',
    )
    .requiredOption('--from <data dir>', 'the DATA_DIR of the embedded installation')
    .requiredOption('--to <mongodb uri>', 'the MONGODB_URI of the production installation', mongodbUri)
    .option('--objects <s3 url>', 'the OBJECT_STORE_URL that files go to; without it they stay in the data folder')
    .exitOverride();
}

function mongodbUri(text: string): string {
  if (/^mongodb(\+srv)?:\/\//.test(text)) return text;
  throw new InvalidArgumentError('It must begin with mongodb://.');
}

function reportText({ kinds, resumed }: MigrationReport, { from, objects }: MigrateOptions): string {
  const lines = kinds.flatMap(({ name, count, checksum, problems }) => [
    `${name.padEnd(20)} ${String(count).padStart(9)}  ${checksum.slice(0, 16)}  ${problems.length === 0 ? 'verified' : 'DAMAGED'}`,
    ...problems.map((problem) => `  ${problem}`),
  ]);
  return [
    resumed ? 'Went on with a migration that was begun earlier.' : 'Began a new migration.',
    ...lines,
    'What is left to do:',
    ...(objects === undefined ? [`take the folder objects of ${from} along as part of the new DATA_DIR;`] : []),
    `set JWT_SECRET to what stands in ${from}/jwt-secret, unless JWT_SECRET was set, and keep SETTINGS_KEY where it was set.`,
    '',
  ].join('\n');
}
