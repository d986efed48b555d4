import { Injectable } from '@nestjs/common';
import { QuestionSuggester } from '../../ports/question-suggester.js';
import type { TableProfile } from '../../ports/table.js';
import { suggestQuestions } from './suggestions.js';

/** Thinks of what the built-in analyst understands in full, and any model with it. */
@Injectable()
export class AnalystQuestionSuggester extends QuestionSuggester {
  override suggest(profile: TableProfile, wanted: number): readonly string[] {
    return suggestQuestions(profile, wanted);
  }
}
