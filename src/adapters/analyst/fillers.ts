import { rewrite, type Piece } from './pieces.js';

/** Words that carry no condition, figure or grouping. A word that could be one must not be here. */
const FILLERS: ReadonlySet<string> = new Set(
  [
    'a an the of in on at for with within from to into as is are was were be been being am s t re',
    'do does did has have had having can could would might there here that this these those it its they them their',
    'i me my we us our you your he she his her',
    'please so then also just only now instead still ever actually about yet already',
    'give get tell know want need let lets see look say want wants interested answer question',
    'how where whether while during than if such some any all overall whole entire',
    'value values data dataset table column columns figure figures result results level levels reported',
    'happen happened happens occur occurred occurs recorded measured registered observed logged seen noted',
    'fell fallen made make makes produced generated handled received served saw got gets go went',
    'involve involved involving cause caused causes work works working live lives living come comes came bring brings brought take took belong belongs',
    'exist exists existing contain contains include includes including consist called named name names',
    '$ € £ type types kind kinds sort much own shown bought buy placed group groups vary varies varied differ differs',
    'listed sell sells offer offers reach reached reaches appear appears appeared look looks use uses used using respectively amount amounts together',
  ]
    .join(' ')
    .split(' '),
);

export const FILLER_WORDS: readonly string[] = [...FILLERS];

export function isFiller(word: string): boolean {
  return FILLERS.has(word);
}

/** Marks the words that say nothing. */
export function readFillers(pieces: readonly Piece[]): readonly Piece[] {
  return rewrite(pieces, 1, ({ keys: [key = ''], pieces: [piece] }) =>
    piece?.kind === 'word' && isFiller(key) ? { kind: 'filler' } : null,
  );
}

/** Words that nobody reads but that change no figure: manners and adverbs. They are named in the answer all the same. */
export function isHarmless(word: string): boolean {
  return /^(hi|hello|hey|thanks|thank|roughly|approximately|exactly|really|currently|simply|quickly|basically)$/.test(
    word,
  );
}
