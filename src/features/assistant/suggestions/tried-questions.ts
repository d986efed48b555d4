import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { QuestionTrial } from '../../../answering/question-trial.js';
import { Clock } from '../../../ports/clock.js';
import { QuestionSuggester } from '../../../ports/question-suggester.js';
import type { TableProfile, TableRef } from '../../../ports/table.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { ReadableDatasource } from '../../datasource/datasource.facade.js';

/** Questions that are thought of, of which one turn shows a part. */
const MOST_KNOWN = 12;
/** Datasources whose questions are kept. */
const MOST_TABLES = 500;
/** Rows that are inserted all the time make the questions no other; they are tried again this often. */
const FRESH_MS = 60_000;
const QUERY_MS = 2000;
/** What is not tried by then is not offered. */
const TRIAL_MS = 5000;

interface Tried {
  /** The rows that the questions were made of. */
  readonly state: string;
  readonly version: string;
  readonly at: number;
  readonly questions: Promise<readonly string[]>;
}

type Askable = ReadableDatasource & { readonly table: TableRef; readonly profile: TableProfile };

/** Questions about datasources that were each tried on the rows: understood, and not without an outcome. */
@Injectable()
export class TriedQuestions {
  private readonly known = new LRUCache<DatasourceId, Tried>({ max: MOST_TABLES });

  constructor(
    private readonly suggester: QuestionSuggester,
    private readonly trial: QuestionTrial,
    private readonly clock: Clock,
  ) {}

  /** Whether anybody asked for them lately. */
  has(id: DatasourceId): boolean {
    return this.known.has(id);
  }

  /** Those that were offered last; none when nobody asked. */
  async last(id: DatasourceId): Promise<readonly string[]> {
    return (await this.known.get(id)?.questions) ?? [];
  }

  /**
   * Those about the rows as they are; none when there are none. Trying takes a while, so it is done once for each state of the rows.
   *
   * @throws AppError `unavailable`
   */
  async of(datasource: ReadableDatasource): Promise<readonly string[]> {
    if (!isAskable(datasource)) return [];
    const known = this.known.get(datasource.id);
    const state = stateOf(datasource);
    const now = this.clock.now().getTime();
    const isSame = known?.version === datasource.version || (known !== undefined && now - known.at < FRESH_MS);
    if (known?.state === state && isSame) return known.questions;
    const questions = this.suggested(datasource).then((all) => this.tried(datasource, all));
    this.known.set(datasource.id, { state, version: datasource.version, at: now, questions });
    // What failed is tried again by the next who asks.
    questions.catch(() => this.known.delete(datasource.id));
    return questions;
  }

  private async suggested({ table, profile, semantics }: Askable): Promise<readonly string[]> {
    const suggested = await this.suggester.suggest(table.companyId, profile, MOST_KNOWN);
    return [...new Set([...(semantics?.questions ?? []), ...suggested])].slice(0, MOST_KNOWN);
  }

  /** Those of the questions that give something, in their order. */
  async tried(datasource: ReadableDatasource, questions: readonly string[]): Promise<readonly string[]> {
    if (!isAskable(datasource)) return [];
    const { table, name, context, semantics, profile } = datasource;
    const good: string[] = [];
    const end = performance.now() + TRIAL_MS;
    for (const question of questions) {
      if (performance.now() > end) break;
      const briefing = { question, now: this.clock.now(), table: { name, context, semantics, profile } };
      if (await this.trial.hasAnswer(table, briefing, QUERY_MS)) good.push(question);
    }
    return good;
  }
}

function isAskable(datasource: ReadableDatasource): datasource is Askable {
  return datasource.table !== null && datasource.profile !== null && datasource.profile.rowCount > 0;
}

function stateOf({ table, profile, semantics }: Askable): string {
  return JSON.stringify([
    table.generation,
    profile.rowCount,
    profile.timeRange,
    profile.columns.map(({ role }) => role),
    semantics?.questions,
  ]);
}
