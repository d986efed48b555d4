import type { ColumnMention } from './mentions.types.js';
import { bestByKey, type Features, type Part, type Question, type Use } from './question.js';
import type { ColumnFacts } from './table.js';
import { feature } from './weights.js';

/** Columns that rows are to be shown with; none stands for all. */
export interface ShownList extends Part {
  readonly columns: readonly string[];
  readonly key: string;
}

const MOST_SHOWN = 30;

/** The likeliest columns to show, best first. */
export function shownLists(question: Question): readonly ShownList[] {
  const free = question.sure.filter(({ isDegree, inValue }) => !isDegree && !inValue);
  const found = [
    shownList(question, [], allFeatures(question), []),
    ...question.usable.flatMap((mention) =>
      mention.guesses.slice(0, 4).map(({ column }) => shownOf(question, [{ mention, column }])),
    ),
    ...[question.strong, free].flatMap((mentions) => runs(question, mentions)),
    ...unsaidColumns(question).flatMap((column) => withUnsaid(question, column)),
    ...fullName(question),
  ];
  return bestByKey(found)
    .sort((a, b) => b.score - a.score)
    .slice(0, MOST_SHOWN);
}

/** Columns that tell rows apart, though nobody names them. */
function unsaidColumns({ facts }: Question): readonly ColumnFacts[] {
  const names = facts.columns.filter(({ kind }) => kind === 'name');
  const columns = [facts.identity, facts.meta, ...names.slice(0, 3), facts.columns[0]];
  return [...new Set(columns.filter((column) => column !== null && column !== undefined))];
}

/** A column that is not said, alone or before one that is. */
function withUnsaid(question: Question, column: ColumnFacts): readonly ShownList[] {
  const pairs = question.strong.slice(0, 4).flatMap((mention): Shown[] => {
    const other = mention.guesses[0]?.column;
    return other === undefined || other === column ? [] : [{ mention, column: other }];
  });
  return [
    shownOf(question, [{ mention: null, column }]),
    ...pairs.map((other) => shownOf(question, [{ mention: null, column }, other])),
  ];
}

function fullName(question: Question): readonly ShownList[] {
  const { columns } = question.facts;
  const [first, last] = [FIRST, LAST].map((form) => columns.find(({ words }) => form.test(words[0]?.word ?? '')));
  if (first === undefined || last === undefined) return [];
  const features = [feature('fullname'), feature(`fullname|${question.opening}`)];
  return [shownList(question, [first.name, last.name], features, [])];
}

/** How columns of given and of family names begin. */
const FIRST = /^(?:f|first|given|vor|prenom)$|^(?:fname|vorname|prenom|firstname|voornaam)$/;
const LAST = /^(?:l|last|family|sur|nach)$|^(?:lname|surname|nachname|lastname|nom|achternaam)$/;

interface Shown {
  readonly mention: ColumnMention | null;
  readonly column: ColumnFacts;
}

function allFeatures(question: Question): Features {
  const words = 'information details everything info records rows all record entries data list show'
    .split(' ')
    .filter((word) => question.words.has(word));
  return [
    feature('all'),
    feature(`all|${question.opening}`),
    feature(`all|strong|${Math.min(2, question.strong.length)}`),
    ...words.map((word) => feature(`all|${word}`)),
    ...question.tag('allcolumns'),
  ];
}

function shownOf(question: Question, shown: readonly Shown[]): ShownList {
  const features = shown.flatMap(({ mention, column }) => question.role('sel', mention, column));
  const mentions = shown.flatMap(({ mention }) => (mention === null ? [] : [mention]));
  for (const [index, mention] of mentions.entries()) {
    const before = mentions[index - 1];
    if (before !== undefined) features.push(feature(`sel|gap|${question.between(before, mention)}`));
  }
  const [first, last] = [mentions[0], mentions.at(-1)];
  if (first !== undefined && last !== undefined) {
    features.push(
      feature(`sel|cut|${question.around(last.from, last.to).after2}`),
      feature(`sel|start|${question.around(first.from, first.to).before}`),
    );
  }
  return shownList(
    question,
    shown.map(({ column }) => column.name),
    features,
    mentions.map((mention) => ({ mention, role: 'shown' })),
  );
}

function shownList(
  question: Question,
  columns: readonly string[],
  features: Features,
  uses: readonly Use[],
): ShownList {
  const count = feature(`sel|count|${Math.min(columns.length, 5)}`);
  const among = feature(`sel|count|${Math.min(columns.length, 5)}|${Math.min(question.strong.length, 5)}`);
  return { ...question.part([...features, count, among], uses), columns, key: JSON.stringify(columns) };
}

const LONGEST_RUN = 6;

/** Columns that are named one after the other. */
function runs(question: Question, mentions: readonly ColumnMention[]): readonly ShownList[] {
  return mentions.flatMap((_, from) => {
    const longest = Math.min(mentions.length - from, LONGEST_RUN);
    const counts = Array.from({ length: Math.max(0, longest - 1) }, (_unused, index) => index + 2);
    return counts.flatMap((count) => runLists(question, mentions.slice(from, from + count)));
  });
}

/** The likeliest columns of mentions, and those where one mention means its second column. */
function runLists(question: Question, mentions: readonly ColumnMention[]): readonly ShownList[] {
  const chosen = mentions.flatMap((mention): Shown[] =>
    mention.guesses[0] === undefined ? [] : [{ mention, column: mention.guesses[0].column }],
  );
  const columns = new Set(chosen.map(({ column }) => column));
  if (columns.size < chosen.length) return [];
  const turned = chosen.flatMap(({ mention }, place) => {
    const second = mention?.guesses[1]?.column;
    if (second === undefined || columns.has(second)) return [];
    return [shownOf(question, chosen.with(place, { mention, column: second }))];
  });
  return [shownOf(question, chosen), ...turned];
}
