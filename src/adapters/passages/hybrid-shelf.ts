import { setImmediate as others } from 'node:timers/promises';
import type { IndexedPassage, PassageHit, PassageQuery, PassageShelf } from '../../ports/passage-index.js';
import { askedWords } from './asked-words.js';
import type { Language } from '../../shared/words/languages.js';
import { areAlike, likenessOf, type Likeness } from './likeness.js';
import { nearest } from './nearest.js';
import { fused, type Scored } from './rank-fusion.js';
import { searchableOf } from './searchable.js';
import { VectorStore } from './vector-store.js';
import { WordIndex } from './word-index.js';

/** What is read of one passage; those of our own cutter are far shorter. */
const MAX_TEXT = 20_000;
/** Milliseconds after which others get their turn. */
const TURN_MS = 10;
/** So many of the best by words are compared with those by vectors. */
const CANDIDATES = 200;
/** A passage must have so much of what is asked, unless a vector says that it fits. */
const MIN_COVERAGE = 0.2;
/** What scores less than this part of the best is not worth a place beside it. */
const MIN_OF_BEST = 0.3;
/** Of passages that say nearly the same. */
const MAX_ALIKE = 2;

interface Place {
  readonly group: string;
  readonly language: Language;
  readonly slot: number | null;
  readonly likeness: Likeness;
}

/** Passages by words and by vectors, both in memory. */
export class HybridShelf implements PassageShelf {
  private readonly words = new WordIndex();
  private readonly vectors = new VectorStore();
  private readonly places = new Map<string, Place>();
  private readonly groups = new Map<string, Set<string>>();
  private readonly languages = new Map<Language, number>();
  /** One set for each `add` that goes on: the groups that were removed meanwhile. */
  private readonly removedMeanwhile = new Set<Set<string>>();

  get size(): number {
    return this.places.size;
  }

  async add(passages: readonly IndexedPassage[]): Promise<void> {
    const removed = new Set<string>();
    this.removedMeanwhile.add(removed);
    try {
      let begin = performance.now();
      for (const passage of passages) {
        if (performance.now() - begin >= TURN_MS) {
          await others();
          begin = performance.now();
        }
        if (!removed.has(passage.group)) this.put(passage);
      }
    } finally {
      this.removedMeanwhile.delete(removed);
    }
  }

  removeGroup(group: string): void {
    for (const removed of this.removedMeanwhile) removed.add(group);
    for (const id of this.groups.get(group) ?? []) this.take(id);
  }

  search({ text, vector, vectorWeight, limit }: PassageQuery): readonly PassageHit[] {
    if (!(limit > 0)) return [];
    const byWords = this.byWords(text);
    const byVectors = vector !== null && vectorWeight > 0 ? this.byVectors(vector, vectorWeight, byWords) : [];
    const both = [
      { hits: byWords, weight: 1 },
      { hits: byVectors, weight: vectorWeight },
    ];
    return this.varied(fused(both), limit);
  }

  private byWords(text: string): readonly Scored[] {
    const hits = this.words.search(askedWords(text, [...this.languages.keys()]));
    const enough = (hits[0]?.score ?? 0) * MIN_OF_BEST;
    return hits.filter(({ coverage, score }) => coverage >= MIN_COVERAGE && score >= enough).slice(0, CANDIDATES);
  }

  /** Vectors that count less than words only tell between passages that words have found. */
  private byVectors(vector: Float32Array, weight: number, byWords: readonly Scored[]): readonly Scored[] {
    if (!this.vectors.fits(vector)) return [];
    const trusted = weight >= 1;
    const known = new Set(byWords.map(({ id }) => id));
    const near: Scored[] = [];
    for (const id of trusted ? this.places.keys() : known) {
      const slot = this.places.get(id)?.slot ?? null;
      if (slot !== null) near.push({ id, score: this.vectors.cosine(slot, vector) });
    }
    return nearest(near, { limit: CANDIDATES, trusted, known });
  }

  private varied(hits: readonly PassageHit[], limit: number): readonly PassageHit[] {
    const chosen: PassageHit[] = [];
    const likenesses: Likeness[] = [];
    for (const hit of hits) {
      if (chosen.length >= limit) break;
      const likeness = this.places.get(hit.id)?.likeness;
      if (likeness === undefined) continue;
      if (likenesses.filter((other) => areAlike(likeness, other)).length >= MAX_ALIKE) continue;
      chosen.push(hit);
      likenesses.push(likeness);
    }
    return chosen;
  }

  private put({ id, group, heading, text, vector }: IndexedPassage): void {
    this.take(id);
    const searchable = searchableOf(heading ?? '', text.slice(0, MAX_TEXT));
    const { language } = searchable;
    this.words.add({ id, ...searchable });
    const slot = vector === null ? null : this.vectors.add(vector);
    this.places.set(id, { group, language, slot, likeness: likenessOf(searchable.text) });
    this.groups.set(group, (this.groups.get(group) ?? new Set()).add(id));
    this.languages.set(language, (this.languages.get(language) ?? 0) + 1);
  }

  private take(id: string): void {
    const place = this.places.get(id);
    if (place === undefined) return;
    this.words.remove(id);
    if (place.slot !== null) this.vectors.remove(place.slot);
    this.places.delete(id);
    const group = this.groups.get(place.group);
    group?.delete(id);
    if (group?.size === 0) this.groups.delete(place.group);
    const left = (this.languages.get(place.language) ?? 1) - 1;
    if (left === 0) this.languages.delete(place.language);
    else this.languages.set(place.language, left);
  }
}
