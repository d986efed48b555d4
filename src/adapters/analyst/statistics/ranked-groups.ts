import type { Piece } from '../pieces.js';
import type { Clause } from './clause.js';

const MOST_GROUPS = 60;
const ENDS = /^(?:highest|lowest|largest|smallest|greatest|biggest|most|least)$/iu;

/** `which site has the highest variance of a`, `the site with the largest spread`: what stands before the extreme are the groups. */
export function withRankedGroups(pieces: readonly Piece[], clause: Clause): readonly Piece[] {
  if (!clause.has('figure', 'variation', 'share') || pieces.some(({ kind }) => kind === 'group')) return pieces;
  const extreme = pieces.findIndex(({ kind }) => kind === 'superlative');
  const place = pieces.slice(0, Math.max(extreme, 0)).findIndex(isGroupable);
  const named = pieces[place];
  if (named === undefined || !isRanked(clause.text)) return pieces;
  return [...pieces.slice(0, place), { kind: 'group', text: 'for each' }, ...pieces.slice(place)];
}

function isGroupable(piece: Piece): boolean {
  if (piece.kind !== 'column') return false;
  const { role, profile } = piece.column;
  return (role === 'category' || role === 'boolean') && profile.distinct <= MOST_GROUPS;
}

function isRanked(text: string): boolean {
  return (
    text.split(/\s+/u).some((word) => ENDS.test(word)) && /\b(?:which|what|with|whose|find|name|the)\b/iu.test(text)
  );
}
