import { PassageIndex, type PassageShelf } from '../../ports/passage-index.js';
import { HybridShelf } from './hybrid-shelf.js';

/** Shelves in this process's memory: minisearch for the words, packed vectors compared one by one. */
export class MiniSearchPassageIndex extends PassageIndex {
  override newShelf(): PassageShelf {
    return new HybridShelf();
  }
}
