export interface IndexedPassage {
  readonly id: string;
  /** Names what can be removed at once: its file. */
  readonly group: string;
  readonly heading: string | null;
  /** Searched up to its 20,000th character. */
  readonly text: string;
  /** Of length 1; null when it has none, or one of another model than the searcher's. What is no such vector counts as none. */
  readonly vector: Float32Array | null;
}

export interface PassageQuery {
  readonly text: string;
  /** Null: words alone decide. */
  readonly vector: Float32Array | null;
  /** How much the ranking by vectors counts; words count 1. Below 1 vectors only tell between passages that words have found. */
  readonly vectorWeight: number;
  readonly limit: number;
}

export interface PassageHit {
  readonly id: string;
  /** Comparable within one search. */
  readonly score: number;
}

/** Passages that can be searched by words (stemmed, with typing errors) and vectors, both rankings fused. Held in memory. */
export interface PassageShelf {
  readonly size: number;
  /**
   * Replaces those of the same id. Lets other work of this process go on while it adds many; what is removed meanwhile is not added any
   * more.
   */
  add(passages: readonly IndexedPassage[]): Promise<void>;
  /** At once: the next search does not find it. */
  removeGroup(group: string): void;
  /** Best first, and of near copies two at most. Empty when no word of the query, spelled well or nearly, is in any passage and no vector is near: nothing rather than noise. */
  search(query: PassageQuery): readonly PassageHit[];
}

export abstract class PassageIndex {
  abstract newShelf(): PassageShelf;
}
