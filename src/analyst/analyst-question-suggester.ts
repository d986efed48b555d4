import { Injectable } from '@nestjs/common';
import { QuestionSuggester } from '../ports/question-suggester.js';
import type { TableProfile } from '../ports/table.js';
import { suggestQuestions } from './suggestions.js';
import { provenBy } from './understand.js';

/** Thinks of what the built-in analyst reads surely, and any model with it. */
@Injectable()
export class AnalystQuestionSuggester extends QuestionSuggester {
  override suggest(profile: TableProfile, wanted: number): readonly string[] {
    return suggestQuestions(profile, wanted, provenBy(profile));
  }
}
