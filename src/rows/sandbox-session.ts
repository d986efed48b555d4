import { join } from 'node:path';
import type { DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import { AppError, isAppError, messageOf } from '../shared/app-error.js';
import { Gate, LONGEST_STATEMENT } from './gate.js';
import { isDamage } from './process-error.js';
import { QueryClock } from './query-clock.js';
import { SandboxDatabase, type SandboxRoom } from './sandbox-database.js';
import { tellable } from './sandbox-errors.js';
import { RESULT_FILE, type SandboxReply, type SandboxRequest } from './sandbox-protocol.js';
import { readPage, readRows, writeCsv } from './sandbox-rows.js';

/** Runs one statement after the other on one datasource's rows. */
export class SandboxSession {
  private readonly gate: Gate;

  private constructor(
    private readonly database: SandboxDatabase,
    private readonly folder: string,
  ) {
    this.gate = new Gate(database.catalog);
  }

  static async open(request: SandboxRequest, room: SandboxRoom): Promise<SandboxSession> {
    return new SandboxSession(await SandboxDatabase.open(request.basePath, request.deltaPath, room), room.tempDir);
  }

  async run(request: SandboxRequest): Promise<SandboxReply> {
    using clock = new QueryClock(this.database.connection, request.timeoutMs);
    try {
      return await this.answer(request, clock);
    } catch (error) {
      if (clock.isOver) return { kind: 'timed_out' };
      if (isDamage(error)) return { kind: 'unavailable', message: messageOf(error) };
      if (isAppError(error, 'invalid_input')) return { kind: 'refused', message: error.message };
      return { kind: 'failed', message: tellable(messageOf(error), this.database.internal) };
    }
  }

  private async answer(request: SandboxRequest, clock: QueryClock): Promise<SandboxReply> {
    await this.assertAllowed(request.statement);
    clock.assertTime();
    const rowsScanned = await this.database.show(request.visibleFrom);
    clock.assertTime();
    const prepared = await this.prepare(request.statement);
    clock.assertTime();
    const stream = await prepared.stream();
    const reply = await this.result(stream, request, rowsScanned);
    prepared.destroySync();
    return reply;
  }

  private async result(
    stream: DuckDBResult,
    { output, maxRows }: SandboxRequest,
    rowsScanned: number,
  ): Promise<SandboxReply> {
    if (output.kind === 'csv') {
      await writeCsv(stream, join(this.folder, RESULT_FILE));
      return { kind: 'written' };
    }
    const result =
      output.kind === 'page' ? await readPage(stream, output.skip, maxRows) : await readRows(stream, maxRows);
    return { kind: 'rows', result: { ...result, rowsScanned } };
  }

  private async assertAllowed(statement: string): Promise<void> {
    if (statement.length > LONGEST_STATEMENT) {
      throw new AppError('invalid_input', `the statement is longer than ${LONGEST_STATEMENT} characters`);
    }
    // The engine reads no further than this character; what follows it would never have been looked at.
    if (statement.includes('\0'))
      throw new AppError('invalid_input', 'the statement has a character that is not allowed');
    // The cast is needed: without it the parameter has no type and the function refuses it.
    const parsed = await this.database.connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [statement]);
    const serialized = parsed.getRows()[0]?.[0];
    this.gate.assertAllowed(typeof serialized === 'string' ? serialized : '{}');
  }

  /** What was looked at is one statement; that what runs is one too is the engine's own word. */
  private async prepare(statement: string): Promise<DuckDBPreparedStatement> {
    const extracted = await this.database.connection.extractStatements(statement);
    if (extracted.count !== 1) throw new AppError('invalid_input', 'only one statement is allowed');
    return extracted.prepare(0);
  }
}
