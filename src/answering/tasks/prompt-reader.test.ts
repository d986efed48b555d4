import { describe, expect, it } from 'vitest';
import { MAX_QUESTIONS, readPrompt } from './prompt-reader.js';

function questionsOf(prompt: string): readonly string[] {
  return readPrompt(prompt).questions.map(({ text }) => text);
}

describe('the questions of a prompt', () => {
  it.each<[prompt: string, questions: readonly string[]]>([
    ['What is the average wind? How many rows are there?', ['What is the average wind?', 'How many rows are there?']],
    ['1. average wind\n2) total rain\n(3) median wind', ['Average wind', 'Total rain', 'Median wind']],
    [
      '- average wind\n* total rain\n• median wind; average rain',
      ['Average wind', 'Total rain', 'Median wind', 'Average rain'],
    ],
    ['average wind\naverage rain', ['Average wind', 'Average rain']],
    ['Show the trend of wind and then the top 5 days', ['Show the trend of wind', 'The top 5 days']],
    ['Which shop sold most, and when was that?', ['Which shop sold most', 'When was that?']],
    ['average temp and wind by location', ['Average temp and wind by location']],
    ['What fell in e.g. Seattle? And above 3.5 mm?', ['What fell in e.g. Seattle?', 'And above 3.5 mm?']],
    ['Is U.S. Steel the top 1 supplier of Dr. Smith?', ['Is U.S. Steel the top 1 supplier of Dr. Smith?']],
    ['How many rows have the value "a. B? c"? Thanks!', ['How many rows have the value "a. B? c"?']],
    ['Could you please tell me how many rows there are?', ['Tell me how many rows there are?']],
    ['Please answer the following questions:\n- average wind', ['Average wind']],
    [
      'For Seattle:\n- average wind\n- total rain\n\nmedian wind',
      ['Average wind for Seattle', 'Total rain for Seattle', 'Median wind'],
    ],
    ['average wind? Average wind.', ['Average wind?']],
    [
      '# Weekly report\n\nDear team,\n\n## What I need\n\n1. average wind\n\n## Rain\nUse tables.',
      ['Average wind', 'Rain'],
    ],
    ['# Weekly report\n## Average wind\n## Rain by month', ['Average wind', 'Rain by month']],
    ['Weekly report: total units by product, best week.', ['Total units by product', 'Best week.']],
    ['compare average wind between 2013 and 2014', ['Compare average wind between 2013 and 2014']],
  ])('of “%s”', (prompt, questions) => {
    expect(questionsOf(prompt)).toEqual(questions);
  });

  it('joins lines that an editor broke', () => {
    const line = 'What is the average of the highest temperature of each day in';
    const questions = questionsOf(`${line}\nSeattle? How many rows are there?`);
    expect(questions).toEqual([`${line} Seattle?`, 'How many rows are there?']);
  });

  it('are at most 12; the rest is named', () => {
    const prompt = Array.from({ length: 15 }, (_, index) => `total of column${index}`).join('\n');
    const { questions, leftOut } = readPrompt(prompt);
    expect(questions).toHaveLength(MAX_QUESTIONS);
    expect(leftOut).toEqual(['Total of column12', 'Total of column13', 'Total of column14']);
  });

  it('know when they lean on the one before', () => {
    const prompt = 'What is the average wind in Seattle? And in New York? What about 2013? How many rows are there?';
    const { questions } = readPrompt(prompt);
    expect(questions.map(({ refersBack }) => refersBack)).toEqual([false, true, true, false]);
  });

  it('are told from background, which may be a question all the same', () => {
    const { questions } = readPrompt('We sell bikes in Europe. Revenue by region.');
    expect(questions.map(({ perhaps }) => perhaps)).toEqual([true, false]);
  });
});

describe('what a prompt says beside its questions', () => {
  it('is an instruction', () => {
    const said = ['Write a short report.', 'Use tables.', 'Compare the two.', 'Keep it short.'];
    for (const instruction of [...said, 'Write an e-mail with the total revenue.']) {
      const { questions, instructions } = readPrompt(`average wind? ${instruction}`);
      expect([questions.length, instructions]).toEqual([1, [instruction]]);
    }
  });

  it.each([
    ['Analyse the weather data', true],
    ['What stands out?', true],
    ['Give me an overview of the data and the average wind per location', true],
    ['Analyse the average wind by location', false],
    ['Write a short summary. average wind', false],
  ])('may be a wish for a general look: %s', (prompt, wanted) => {
    expect(readPrompt(prompt).wantsOverview).toBe(wanted);
  });
});

describe('a prompt of any kind', () => {
  it('asks nothing without words', () => {
    for (const prompt of ['', '   ', '?!?', '. . .', '```', '\u0000', '- \n- \n', '"unclosed', '((((', ':::', 'Hello'])
      expect(questionsOf(prompt).filter((text) => !/[a-z]/.test(text))).toEqual([]);
  });

  it('is read in time that grows with its length', () => {
    const begun = performance.now();
    for (const part of ['and then ', '(', '"', 'a. ', '1. ', ', and ', 'please ', ';\n'])
      readPrompt(part.repeat(20_000 / part.length));
    expect(performance.now() - begun).toBeLessThan(3000);
  });
});
