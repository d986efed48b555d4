import { withSpans } from '../statistics/moment-spans.js';
import { withMakings } from '../statistics/makings.js';
import { withAliases } from '../statistics/named-formulas.js';
import { withOwnSentences } from '../statistics/own-sentences.js';
import { withAnswers } from '../statistics/answered-names.js';
import {
  withArithmeticWords,
  withDistributions,
  withLetters,
  withoutExplanations,
  withoutFormulaNames,
  withQuotedNames,
} from '../statistics/prepared-text.js';
import { withoutOrder } from '../statistics/reworded.js';
import { withDefinitionsFirst } from '../statistics/word-order.js';
import type { TableFacts } from '../table-facts.js';

/** A message with names in quotes, arithmetic in words and definitions ahead of what is asked, before it is cut into sentences. */
export function preparedOf(message: string, facts: TableFacts): string {
  return withDistributions(
    withoutFormulaNames(
      withDefinitionsFirst(
        withMakings(
          withArithmeticWords(
            withoutOrder(
              withOwnSentences(
                withSpans(
                  withAnswers(
                    withoutExplanations(withQuotedNames(withLetters(withAliases(message), facts), facts), facts),
                    facts,
                  ),
                  facts,
                ),
              ),
            ),
            facts,
          ),
        ),
      ),
    ),
  );
}
