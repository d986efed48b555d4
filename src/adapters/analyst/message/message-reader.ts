import type { AnalysisPlan } from '../../../ports/analysis-plan.js';
import type { HistoryTurn, TableBriefing } from '../../../ports/chat-model.js';
import { afterMaking, readDefinition } from '../statistics/definitions.js';
import { exclusionIn } from '../statistics/exclusions.js';
import { isBasic } from '../statistics/text-kinds.js';
import { joined, NO_CONSTRAINTS, Script, type Constraints } from '../statistics/script.js';
import { withoutUnits, withoutWhole } from '../statistics/prepared-text.js';
import { factsOf } from '../table-facts.js';
import { readWholly } from '../table-question.js';
import { chosenGroupIn } from './chosen-group.js';
import { isPlan, passesOver, worksOut } from './plan-readings.js';
import { constraintsFor, heldIn, namesMethod, ofEachGroup, removalIn, saysMethod } from './methods.js';
import { withoutMotives } from './motives.js';
import { preparedOf } from './prepared.js';
import { withoutPictures } from './picture-words.js';
import { withoutPoliteness } from './politeness.js';
import { choosesRows } from './purposes.js';
import { rankedAgain } from './ranked-again.js';
import { fallsShort, QuestionReader, type Setting } from './question-reader.js';
import { mergesSides, namesColumns } from './repeats.js';
import { countedAgain, saysAgain } from './says-again.js';
import { focusFrom, groupsOf, outlierRuleOf, inherited, ofFocus, sameFor, withoutRemaining } from './references.js';
import { asWritten, finishedPart, suitsGrades } from './finished-part.js';
import { unitsOf, type MessageUnits, type Unit } from './message-units.js';
import { saysWhichRows, setsRows } from '../statistics/constraints.js';
import { DONE_FIRST } from '../statistics/reworded.js';
import {
  AGAIN,
  ASKS,
  ASKS_WHICH,
  CAUSE,
  HOW_MANY,
  isTold,
  NO_CAUSE,
  NOT_OF_GROUPS,
  OF_OWN_GROUP,
  SAME_AGAIN,
} from './sentence-kinds.js';
import { clausesOf, sentencesOf } from './sentences.js';
import type { AnswerFormat, Part, Understanding } from './understanding.js';
import { ASKS_MORE, listsAll, SHARES_GROUP } from './unclear-before.js';
import { wholeMessage } from './whole-message.js';

/** Longer than this nothing is read: it is a text, no question. */
export const MAX_MESSAGE = 12_000;
const MAX_PARTS = 12;

interface Holding {
  readonly constraints: Constraints;
  /** The message is nothing but this question. */
  readonly isOnly: boolean;
}

/** Reads a message sentence by sentence: what it defines, what holds for its questions, and the questions, each with its plan. */
export class MessageReader {
  private readonly script: Script;
  private readonly parts: Part[] = [];
  private readonly background: string[] = [];
  private readonly blocks: string[] = [];
  private format: Partial<AnswerFormat> = {};
  /** Of sentences that became no question: `report the p-value to 3 decimals` says how a question before is answered. */
  private loose: Partial<AnswerFormat> = {};
  /** A level of significance that any sentence names holds for all of them. */
  private level: number | null = null;
  private before: string | null = null;
  private message = '';

  constructor(
    private readonly table: TableBriefing,
    private readonly history: readonly HistoryTurn[],
    private readonly now: Date,
  ) {
    this.script = new Script(factsOf(table), now);
    this.script.focus = focusFrom(history.at(-1)?.plan ?? null, this.script.facts);
  }

  read(message: string): readonly Part[] {
    const { facts } = this.script;
    const whole = wholeMessage(message, { script: this.script, table: this.table, now: this.now });
    if (whole !== null) return [whole];
    this.message = message;
    const text = preparedOf(message, facts);
    const { units, format, grades } = unitsOf(sentencesOf(text), this.script);
    this.format = format;
    const { constraints: constrained, blocks, level } = heldIn(units, this.script);
    this.blocks.push(...blocks);
    this.level = level;
    this.script.population = populationOf(constrained);
    const asking = units.filter((unit) => !constrained.has(unit));
    const told = inOrder(asking.length > 0 ? asking : units);
    for (const unit of constrained.keys()) this.loose = { ...this.loose, ...unit.format };
    for (const unit of told) {
      const known = this.parts.length;
      this.readUnit(unit, constraintsFor(unit, constrained, told), told.length === 1);
      if (this.parts.length === known) this.loose = { ...this.loose, ...unit.format };
    }
    return this.finished(grades);
  }

  /** The questions with what was said around them; limits that name no figure of theirs were not understood. */
  private finished(grades: MessageUnits['grades']): readonly Part[] {
    const { parts, motives } = withoutMotives(this.parts, this.script);
    this.background.push(...motives);
    if (grades !== null && !parts.some(suitsGrades)) this.blocks.push(grades.said);
    const { message, format, loose, blocks, background } = this;
    const around = { message, format, loose, blocks, background, grades: grades?.grades ?? null };
    return parts.slice(0, MAX_PARTS).map((part) => finishedPart(part, around));
  }

  private readUnit(asked: Unit, constraints: Constraints, isOnly: boolean): void {
    const unit = { ...asked, text: ofFocus(asked.text, this.script.focus) };
    if (!isOnly && this.isBackground(unit)) return;
    const clauses = clausesOf(unit.text);
    if (clauses.length < 2) this.addAsked(unit, this.understood(unit.text, constraints), isOnly);
    else this.readJoined(unit, clauses, { constraints, isOnly });
  }

  /** A sentence of several requests is one question where it is understood as one. */
  private readJoined(unit: Unit, clauses: readonly string[], { constraints, isOnly }: Holding): void {
    const state = this.script.state;
    const whole = this.askedOrRanked(unit.text, constraints);
    if ((isPlan(whole) && !passesOver(unit.text, whole.plan)) || this.isEmpty(unit, whole)) {
      this.addAsked(unit, whole, isOnly);
      return;
    }
    this.script.goBackTo(state);
    this.readClauses(unit, clauses, constraints);
  }

  private addAsked(unit: Unit, read: Understanding | 'defined', isOnly: boolean): void {
    if (read === 'defined' || this.isEmpty(unit, read) || this.saysAgain(unit.text, read)) return;
    this.add(unit, read, isOnly);
  }

  /** One after the other, as far as they are understood. */
  private readClauses(unit: Unit, clauses: readonly string[], constraints: Constraints): void {
    let holding = constraints;
    let isGrouped = false;
    const known = this.parts.length;
    for (const clause of clauses) {
      const removed = removalIn(clause, clauses, this.script);
      holding = joined(holding, removed ?? NO_CONSTRAINTS);
      const read: Understanding | 'defined' =
        removed === null ? this.understood(this.bare(clause, isGrouped), holding) : 'defined';
      isGrouped ||= this.isGrouping(read);
      if (read === 'defined' || this.isTold(clause, read)) continue;
      this.add({ ...unit, text: clause, said: clause }, read, false);
      if (!isPlan(read)) {
        this.takeBack(known, clause);
        return;
      }
    }
  }

  /** What clauses before it asked is of the groups that were not read, too. */
  private takeBack(known: number, clause: string): void {
    if (SHARES_GROUP.test(clause)) this.parts.splice(known, this.parts.length - known - 1);
  }

  private isGrouping(read: Understanding | 'defined'): boolean {
    return read === 'defined' && this.script.groups !== null;
  }

  private bare(said: string, isGrouped: boolean): string {
    const clause = isGrouped ? ofEachGroup(said) : said;
    return withoutPoliteness(clause, (topic) => choosesRows(topic, this.script));
  }

  private isTold(clause: string, read: Understanding): boolean {
    return this.isRepeat(clause, read) || this.saysAgain(clause, read);
  }

  private saysAgain(text: string, read: Understanding): boolean {
    return saysAgain(text, read, this.planBefore, this.script);
  }

  /** `identify the outliers and say how many`: a clause without an object of its own, after one that was understood. */
  private isRepeat(clause: string, read: Understanding): boolean {
    if (isPlan(read) || this.parts.length === 0 || ASKS_MORE.test(clause)) return false;
    return ['nothing', 'empty'].includes(isBasic(clause, this.script));
  }

  private understood(text: string, constraints: Constraints): Understanding | 'defined' {
    if (CAUSE.test(text)) return NO_CAUSE;
    if (OF_OWN_GROUP.test(text)) return NOT_OF_GROUPS;
    const exclusion = exclusionIn(text, this.script);
    if (exclusion !== null) {
      // What stands in brackets says which rows are left out, not which stay.
      const whole = text.includes('(') ? null : this.wholly(text, constraints);
      if (whole !== null) return whole;
      const filters = [...constraints.filters, ...exclusion.filters];
      return this.understood(exclusion.rest, { ...constraints, filters });
    }
    const sure = this.surely(text, constraints);
    if (sure !== null) return sure;
    const { made, rest } = afterMaking(text, this.script);
    if (made === null) return this.definedOrAsked(text, constraints);
    this.script.focus = made;
    return this.understood(rest, constraints);
  }

  /** What the table's grammar reads to the last word needs no definition to be made of its brackets. */
  private surely(text: string, constraints: Constraints): Understanding | null {
    return MAY_BE_TABLES.test(text) && !LACKS.test(text) ? this.wholly(text, constraints) : null;
  }

  private wholly(text: string, constraints: Constraints): Understanding | null {
    if (this.script.columns.length > 0 || constraints.filters.length > 0 || namesMethod(constraints)) return null;
    const read = readWholly(text, this.table, this.now);
    if (read === null || fallsShort(this.script.clauseOf(text), read.plan) || mergesSides(text, read.plan)) return null;
    this.before = text;
    this.script.focus = focusFrom(read.plan, this.script.facts);
    return read;
  }

  private definedOrAsked(text: string, constraints: Constraints): Understanding | 'defined' {
    const defined = readDefinition(text.replace(/[.?!]+$/u, ''), this.script);
    if (defined?.kind === 'made') {
      this.script.focus = defined.columns;
      return 'defined';
    }
    const again = countedAgain(text, this.planBefore, this.script);
    if (again !== null) return again;
    const read = this.askedOrRanked(text, constraints);
    return defined?.kind === 'unread' ? this.unmade(text, defined.what) : read;
  }

  private askedOrRanked(text: string, constraints: Constraints): Understanding {
    const ranked = rankedAgain(text, this.planBefore, this.script);
    if (ranked !== null && worksOut(this.planBefore)) return ranked;
    const asked = this.asked(text, constraints);
    return isPlan(asked) ? asked : (ranked ?? asked);
  }

  private unmade(text: string, what: string): Understanding {
    this.blocks.push(text);
    const reasons = [`I couldn’t read how “${what}” is made.`];
    return { kind: 'unclear', verdict: 'clarify', reasons, unread: [] };
  }

  private get planBefore(): AnalysisPlan | null {
    const last = this.parts.at(-1)?.understanding;
    return last?.kind === 'plan' ? last.plan : null;
  }

  private asked(text: string, constraints: Constraints): Understanding {
    const asked = this.plainly(withoutPictures(sameFor(text, this.before) ?? text, this.script.facts));
    const common = { ...NO_CONSTRAINTS, level: this.level };
    const holding = joined(
      joined(
        common,
        inherited(asked, this.parts.at(-1) ?? null, { isFragment: this.isFragment(asked), named: this.namesIn(asked) }),
      ),
      constraints,
    );
    const rest = withoutRemaining(asked, holding);
    const chosen = chosenGroupIn(rest, this.script);
    const held = { ...holding, filters: [...holding.filters, ...chosen.filters] };
    const read = new QuestionReader(this.setting(), held).read(chosen.rest);
    if (isPlan(read)) {
      this.before = asked;
      this.script.focus = focusFrom(read.plan, this.script.facts);
      this.script.outlierRule = outlierRuleOf(read.plan) ?? this.script.outlierRule;
      this.script.by = groupsOf(read.plan) ?? this.script.by;
    }
    return read;
  }

  /** Columns that a text conditions itself; those of numbers may be what is asked for. */
  private namesIn(text: string): ReadonlySet<string> {
    const { pieces } = this.script.clauseOf(text);
    const columns = pieces.flatMap((piece) =>
      piece.kind === 'column' && piece.column.role !== 'figure' ? [piece.column.name] : [],
    );
    return new Set([...columns, ...pieces.flatMap((piece) => (piece.kind === 'value' ? [piece.column] : []))]);
  }

  private setting(): Setting {
    const { script, table, history, now, message } = this;
    return { script, table, history, now, message, before: this.parts.at(-1) ?? null };
  }

  /** `slope?`: a statistic without a column is of what was asked before. */
  private isFragment(text: string): boolean {
    const isOfStatistic = isBasic(text, this.script) === 'statistics' || this.script.clauseOf(text).has('term');
    return isOfStatistic && !namesColumns(text, this.script);
  }

  /** Without units of columns that were made and words that mean all rows. */
  private plainly(text: string): string {
    const bare = withoutUnits(
      text,
      this.script.columns.map(({ name }) => name),
    );
    return withoutWhole(bare, (word) =>
      this.script.clauseOf(word).pieces.every(({ kind }) => kind === 'word' || kind === 'rows'),
    );
  }

  /** A sentence that asks nothing and names nothing of the table is not looked at twice. */
  private isBackground(unit: Unit): boolean {
    const { text } = unit;
    if (ASKS.test(text) || SAME_AGAIN.test(text) || !['nothing', 'empty'].includes(isBasic(text, this.script)))
      return false;
    this.leave(unit);
    return true;
  }

  /** `Could you answer two questions?` asks nothing. */
  private isEmpty({ text }: Unit, whole: Understanding): boolean {
    return !isPlan(whole) && !ASKS_WHICH.test(text) && isBasic(text, this.script) === 'empty';
  }

  private add(unit: Unit, understanding: Understanding, isOnly: boolean): void {
    const isOfRows = understanding.kind === 'plan' && understanding.plan.kind === 'rows' && saysWhichRows(unit.text);
    if (!isOnly && (isOfRows || isTold(unit, understanding))) this.leave(unit);
    else if (listsAll(this.parts.at(-1), unit.text, understanding)) this.leave(unit);
    else if (!this.restsOnUnclear(unit.text))
      this.parts.push({
        question: asWritten(unit.said, this.message),
        understanding,
        format: { decimals: null, ...unit.format },
      });
  }

  /** Background, unless it says which rows count or what a value stands for. */
  private leave({ text, said }: Unit): void {
    const kept = setsRows(text, this.script) ? this.blocks : this.background;
    if (!kept.includes(said)) kept.push(said);
  }

  /** What goes on from a question that was not understood can't be answered by itself. */
  private restsOnUnclear(text: string): boolean {
    if (this.parts.at(-1)?.understanding.kind !== 'unclear') return false;
    if (this.script.clauseOf(text).columns.length > 1 && saysMethod(this.script.clauseOf(text))) return false;
    return AGAIN.test(text) || HOW_MANY.test(text) || !namesColumns(text, this.script);
  }
}

/** What is to be done `first` is, wherever it stands. */
function inOrder(units: readonly Unit[]): readonly Unit[] {
  const isFirst = ({ said }: Unit): boolean => DONE_FIRST.test(said);
  return [...units.filter(isFirst), ...units.filter((unit) => !isFirst(unit))];
}

/** What any sentence says about all spreads. */
function populationOf(constrained: ReadonlyMap<Unit, Constraints>): boolean | null {
  return [...constrained.values()].findLast(({ population }) => population !== null)?.population ?? null;
}

/** Brackets and shares are read by the statistics, too, which know less of what the rest of a sentence says. */
const LACKS = /\b(?:missing|unknown|null|empty|blank|lack\w*)\b/iu;
const MAY_BE_TABLES = /[()]|\b(?:share|percent|percentage|proportion|fraction)\b/iu;
