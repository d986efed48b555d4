import { createHash } from 'node:crypto';
import { type Candidate, candidatesOf } from '../../src/analyst/reading/candidates.js';
import type { Sketch } from '../../src/analyst/reading/draft.js';
import { weighedTogether } from '../../src/analyst/reading/layer.js';
import { link } from '../../src/analyst/reading/mentions.js';
import { planOf } from '../../src/analyst/reading/plan-of.js';
import { Question } from '../../src/analyst/reading/question.js';
import { factsOf } from '../../src/analyst/reading/table.js';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { CorpusQuestion, TrueTable } from './corpus.js';
import type { Seen } from './corpus-readers.js';
import { type Example, learn, type Learning, type Ranking } from './learning.js';
import { priorWeights } from './training-prior.js';

/** What is known of a plan for a question: 2 for exactly what was asked, 1 for more than that or a list in place of its length, 0 for wrong. */
type Grade = 0 | 1 | 2;

/** Grades of plans, kept, since most plans come again. */
export class Grades {
  private readonly known = new Map<string, Grade>();

  async of(table: TrueTable, question: CorpusQuestion, plan: AnalysisPlan): Promise<Grade> {
    const sql = [question.sql ?? []].flat()[0];
    if (sql === undefined) return 0;
    const key = createHash('md5')
      .update(`${question.id}|${sql}|${JSON.stringify(plan)}`)
      .digest('base64url');
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const grade = ({ exact: 2, surplus: 1, listed: 1, wrong: 0 } as const)[
      await table.quickGrade(plan, await table.gold(sql, question))
    ];
    this.known.set(key, grade);
    return grade;
  }
}

/** A question with its readings and what they are worth. */
export interface Tried {
  readonly question: CorpusQuestion;
  readonly candidates: readonly Candidate[];
  readonly grades: readonly Grade[];
  /** The likeliest right reading, which a follow-up goes on with. */
  readonly solved: Sketch | null;
  readonly asked: Question;
}

/** What to read with, and the grades known so far. */
interface Trying extends Ranking {
  readonly grades: Grades;
  /** Whether all readings are graded, or those up to the likeliest that is right. */
  readonly areAllGraded: boolean;
}

/** Reads all questions of an author, in their order, and grades the best readings. */
export async function* tryAll(
  questions: readonly CorpusQuestion[],
  tables: ReadonlyMap<string, TrueTable>,
  trying: Trying,
): AsyncGenerator<Tried> {
  const conversation = new Conversation();
  for (const question of questions) {
    const table = tables.get(question.table);
    if (table === undefined || Array.isArray(question.sql)) continue;
    const before = conversation.before(question);
    if (question.after !== undefined && before === null) continue;
    const tried = await tryOne(question, table, before, trying);
    conversation.add(question, tried.solved);
    yield tried;
  }
}

/** The right readings of an author's questions so far. */
class Conversation {
  private readonly solved = new Map<string, Sketch | null>();
  private readonly last = new Map<string, Sketch>();

  /** The reading that a question goes on with, or else for every other question the last one on its table: some are asked first. */
  before({ id, after, table }: CorpusQuestion): Sketch | null {
    if (after !== undefined) return this.solved.get(after) ?? null;
    return isAskedFirst(id) ? null : (this.last.get(table) ?? null);
  }

  add({ id, table }: CorpusQuestion, solved: Sketch | null): void {
    this.solved.set(id, solved);
    if (solved !== null) this.last.set(table, solved);
  }
}

function isAskedFirst(id: string): boolean {
  return (createHash('md5').update(id).digest()[1] ?? 0) % 2 === 0;
}

async function tryOne(
  question: CorpusQuestion,
  table: TrueTable,
  before: Sketch | null,
  { weights, layer, grades, areAllGraded }: Trying,
): Promise<Tried> {
  const facts = factsOf(table.briefing);
  const now = table.moment.getTime();
  const asked = new Question(link(question.q, facts, now, weights), facts, weights, before);
  const candidates = weighedTogether(candidatesOf(asked), layer);
  const graded: Grade[] = [];
  for (const { sketch } of candidates) {
    if (graded.at(-1) === 2 && !areAllGraded) break;
    const grade = question.none === undefined ? await grades.of(table, question, planOf(sketch, facts)) : 0;
    // A list, or more columns than were asked for, is not the chart.
    graded.push(grade === 1 && question.chart !== undefined ? 0 : grade);
  }
  const exact = graded.indexOf(2);
  const solved = candidates[exact >= 0 ? exact : graded.indexOf(1)]?.sketch ?? null;
  return { question, candidates, grades: graded, solved, asked };
}

const KEPT = 60;
/** Rows with more columns than were asked for are right, too, but less wanted, and least where a reading has just those. */
const WORTH = [0, 0.3, 1] as const;
const WORTH_BESIDE_EXACT = [0, 0.1, 1] as const;

/** Keeps the right readings and the likeliest wrong ones. */
export function exampleOf({ candidates, grades }: Pick<Tried, 'candidates' | 'grades'>): Example | null {
  if (!grades.some((grade) => grade > 0)) return null;
  const worth = grades.includes(2) ? WORTH_BESIDE_EXACT : WORTH;
  const chosen = candidates.flatMap((candidate, index) => {
    const grade = grades[index] ?? 0;
    return grade > 0 || index < KEPT ? [{ features: candidate.features.flat(), wanted: worth[grade] }] : [];
  });
  const starts = shared(Int32Array, chosen.length + 1);
  for (const [index, { features }] of chosen.entries()) starts[index + 1] = (starts[index] ?? 0) + features.length;
  const known = new Map<number, number>();
  const features = shared(Uint16Array, starts[chosen.length] ?? 0);
  for (const [index, one] of chosen.entries())
    for (const [at, feature] of one.features.entries()) {
      const place = known.get(feature) ?? known.size;
      known.set(feature, place);
      features[(starts[index] ?? 0) + at] = place;
    }
  if (known.size > 2 ** 16) throw new RangeError('a question has more different features than fit');
  const places = shared(Int32Array, known.size);
  places.set([...known.keys()]);
  const wanted = shared(Float32Array, chosen.length);
  wanted.set(chosen.map((one) => one.wanted));
  return { places, features, starts, wanted };
}

/** Numbers that threads have in common. */
function shared<T>(Kind: { new (buffer: SharedArrayBuffer): T; BYTES_PER_ELEMENT: number }, length: number): T {
  return new Kind(new SharedArrayBuffer(length * Kind.BYTES_PER_ELEMENT));
}

/** What is learned of questions: which readings are likely, and which messages go on with the one before. */
export function learned(seen: readonly Seen[], learning: Learning): Ranking {
  const prior = priorWeights();
  learnFollowUps(
    seen.flatMap(({ followUp }) => followUp ?? []),
    prior,
  );
  return learn(
    seen.flatMap(({ example }) => example ?? []),
    prior,
    learning,
  );
}

/** A message as the learner of follow-ups sees it. */
export interface FollowUp {
  readonly features: readonly number[];
  readonly isFollowUp: boolean;
}

/** Learns which messages go on with the one before: a logistic regression over their words. */
function learnFollowUps(examples: readonly FollowUp[], weights: Float32Array): void {
  const counts = new Map<number, number>();
  for (const { features } of examples) for (const place of features) counts.set(place, (counts.get(place) ?? 0) + 1);
  const learned = (place: number): boolean => (counts.get(place) ?? 0) >= 4;
  const squares = new Map<number, number>();
  for (let epoch = 0; epoch < 6; epoch++)
    for (const example of examples) followUpStep(example, weights, squares, learned);
}

function followUpStep(
  { features, isFollowUp }: FollowUp,
  weights: Float32Array,
  squares: Map<number, number>,
  learned: (place: number) => boolean,
): void {
  let score = 0;
  for (const place of features) score += weights[place]!;
  const gradient = (isFollowUp ? 1 : 0) - 1 / (1 + Math.exp(-score));
  for (const place of features) {
    if (!learned(place)) continue;
    const square = (squares.get(place) ?? 0.1) + gradient * gradient;
    squares.set(place, square);
    weights[place] = weights[place]! * 0.9995 + (0.15 * gradient) / Math.sqrt(square);
  }
}
