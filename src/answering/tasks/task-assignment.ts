import type { AnswerSource } from '../../ports/assistant-answer.js';
import type { ChatModel } from '../../ports/chat-model.js';
import type { TableSemantics } from '../../ports/table-semantics.js';
import type { TableProfile, TableRef } from '../../ports/table.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';

export const TASK_MODES = ['solve', 'report'] as const;
/** `solve` answers the prompt; `report` writes a structured report. */
export type TaskMode = (typeof TASK_MODES)[number];

/** A datasource that a task asks, with rows that can be read. */
export interface TaskSubject {
  readonly datasourceId: DatasourceId;
  readonly name: string;
  readonly context: string;
  readonly semantics?: TableSemantics | null;
  readonly table: TableRef;
  readonly profile: TableProfile;
}

/** A figure that a run found, comparable with the same figure of another run. */
export interface TaskFigure {
  /** Made of what was asked and of whom, so that the same figure has the same key in the next run. */
  readonly key: string;
  /** For people: `average temperature, Seattle`. */
  readonly label: string;
  readonly value: number;
}

export interface PreviousRun {
  readonly finishedAt: Date;
  readonly figures: readonly TaskFigure[];
}

/** What a run is to do, and all that it may use. */
export interface TaskAssignment {
  readonly companyId: CompanyId;
  readonly prompt: string;
  readonly mode: TaskMode;
  /** Plan first, work in several rounds, check the result. */
  readonly thinking: boolean;
  /** At least one. */
  readonly subjects: readonly TaskSubject[];
  /** Passages of context files that fit a question; empty when none does. */
  readonly passagesFor: (question: string) => Promise<readonly AnswerSource[]>;
  /** The last run that ended well; null: there is nothing to compare with. */
  readonly previous: PreviousRun | null;
  readonly queryTimeoutMs: number;
  /** Who works on it and how they are to write; when nobody is named it is the service's own model. */
  readonly answerer?: TaskAnswerer;
}

export interface TaskAnswerer {
  readonly model: ChatModel;
  /** Of answers; null: that of the question. */
  readonly language: string | null;
  /** Of the company's managers; empty when there are none. */
  readonly instructions: string;
  /** What is to be said beside the answer; null: nothing. */
  readonly notice: string | null;
}

/** How a run ended that ended well. */
export interface TaskOutcome {
  /** Markdown. Charts stand in it as `![title](/api/v1/secure/assistant/visualizations/<file name>)`. */
  readonly answer: string;
  /** At most 100. */
  readonly figures: readonly TaskFigure[];
}
