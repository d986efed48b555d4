import { beforeAll, describe, expect, it } from 'vitest';
import { HashingEmbedder } from '../../src/adapters/embedding/hashing-embedder.js';
import { MiniSearchPassageIndex } from '../../src/adapters/passages/minisearch-passage-index.js';
import { nearestQuote, quotesFor } from '../../src/analyst/passages/passages.js';
import { cutPassages } from '../../src/features/context-files/passages/passage-cutter.js';
import { searchedHeading } from '../../src/features/context-files/retrieval/passage-index-cache.js';
import type { AnswerSource } from '../../src/ports/assistant-answer.js';
import type { DocumentBlock } from '../../src/ports/document-reader.js';
import type { PassageShelf } from '../../src/ports/passage-index.js';

const HANDBOOK = 'employee-handbook.pdf';
const PUMP = 'pump-manual.pdf';
const LIGHTHOUSE = 'lighthouse-history.txt';

/** Lines that begin with `#` are headings, `---` turns the page; every other line is a block. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  [HANDBOOK]: `
# Working hours
Full-time employees work 38.5 hours a week. The core time is from 9:30 to 15:00; the rest can be arranged freely with the team lead.
Overtime has to be approved in advance by the department manager. It is compensated by time off within three months, or paid out with a supplement of 25 percent.
# Remote work
Employees may work from home on up to two days a week. Working from abroad needs the written consent of the human resources department and is limited to 30 days a calendar year.
The company pays a monthly allowance of 40 euros for internet and electricity.
---
# Annual leave
Every employee has 28 days of paid leave a calendar year. Up to five days that were not taken can be carried over until 31 March of the following year; after that they expire.
Leave is requested in the staff portal at least two weeks in advance. The team lead answers within three working days.
# Illness
Whoever falls ill informs the team lead before 9:00 on the first day. A medical certificate is required from the third day of sickness on.
Sick pay continues for six weeks. After that the health insurance takes over.
---
# Travel expenses
Train journeys are booked in second class. Flights are allowed only when the journey by train would take longer than six hours.
The daily allowance is 28 euros, and 14 euros on days of arrival and departure. Receipts must be handed in within 30 days of the end of the journey.
# Notice
During the probation period of six months either side can give notice of two weeks. Afterwards the notice period is three months to the end of a quarter.
Company property such as laptops, keys and badges is returned on the last working day.
# Contacts
Human resources: Marta Ilves, room 2.14, extension 310
Works council: Jonas Brandt, room 1.03, extension 275
`,
  [PUMP]: `
# Intended use
The KX-200 is a self-priming centrifugal pump for clean or slightly polluted water. It must not be used for flammable liquids, sea water or food.
# Technical data
Maximum flow | 18 m³/h
Maximum head | 42 m
Rated power | 2.2 kW
Supply voltage | 400 V, 50 Hz
Weight | 31 kg
Protection class | IP55
---
# Installation
The pump is mounted horizontally on a firm foundation that does not vibrate. Leave at least 50 cm of free space around the motor so that it can cool.
Fill the housing with water before the first start. Running dry destroys the mechanical seal within a few minutes.
# Maintenance
The bearings are greased every 2,000 operating hours with lithium grease NLGI 2. The mechanical seal is replaced after 8,000 operating hours.
Clean the suction strainer once a month, and daily when the water carries sand.
---
# Faults
If the pump does not deliver, the suction line usually draws air: check the joints and the foot valve.
If the motor protection trips, the impeller may be blocked or a phase may be missing. Disconnect the supply before you open the housing.
A whistling noise points to cavitation. It disappears when the suction head is reduced or the flow is throttled.
# Spare parts
Mechanical seal | KX-200-07
Impeller | KX-200-11
Bearing set | KX-200-15
Spare parts are available for ten years after the last delivery of the series.
`,
  [LIGHTHOUSE]: `
The lighthouse on Vilsund point was built in 1874 after the brig Aurora had run aground there with the loss of nineteen sailors. It was designed by the engineer Henrik Lund.
The tower is 34 metres high and made of granite from the island of Bornholm. Its light could be seen at a distance of 21 nautical miles.
The first keeper was Anders Holm, who lived there with his wife and seven children. He kept the light for 31 years and missed, as he liked to say, not a single night.
In the winter of 1929 the sea froze, and supplies had to be brought across the ice by sledge. The keeper's daughter Ingrid walked eleven kilometres to fetch the doctor.
The oil lamp was replaced by an electric one in 1952. The station was automated in 1983, and the last keeper, Per Dahl, left the tower in May of that year.
Today the lighthouse is a museum. It is open from April to October, Tuesday to Sunday from 10 to 17 o'clock. Admission is 6 euros, children under 12 years do not pay.
The foghorn was switched off because neighbours complained about the noise.
`,
};

/** What the first quote must hold, and of which document; null: the documents do not say. */
const QUESTIONS: readonly (readonly [question: string, answer: RegExp | null, file?: string])[] = [
  ['How many hours a week do full-time employees work?', /38\.5 hours/, HANDBOOK],
  ['Who has to approve overtime?', /department manager/, HANDBOOK],
  ['how many vacation days do I get', /28 days/, HANDBOOK],
  ['When do I need a medical certificate?', /third day/, HANDBOOK],
  ['When are flights allowed?', /longer than six hours/, HANDBOOK],
  ['What is the notice period after probation?', /three months to the end of a quarter/, HANDBOOK],
  ['What is the extension of the works council?', /275/, HANDBOOK],
  ['What is the maximum flow of the KX-200?', /18 m³\/h/, PUMP],
  ['What supply voltage does the pump need?', /400 V/, PUMP],
  ['When must the mechanical seal be replaced?', /8,000 operating hours/, PUMP],
  ['Why does the pump not deliver?', /draws air/, PUMP],
  ['Can the pump be used for sea water?', /must not be used/, PUMP],
  ['What happens when the pump runs dry?', /destroys the mechanical seal/, PUMP],
  ['Who designed the lighthouse?', /Henrik Lund/, LIGHTHOUSE],
  ['Who was the first keeper?', /Anders Holm/, LIGHTHOUSE],
  ['What are the opening hours of the museum?', /10 to 17/, LIGHTHOUSE],
  ['When did the last keeper leave?', /May of that year/, LIGHTHOUSE],
  ['Who is the chief executive officer?', null],
  ['What is the share price of the company?', null],
  ['How do I bake bread?', null],
  ['What colour is the pump?', null],
  ['Which football club does the keeper support?', null],
  ['When does the canteen open?', null],
  ['How many parking spaces are there?', null],
  ['What is the capital of France?', null],
  ['Please tell me something', null],
  ['what percentage is paid for overtime', /25 percent/, HANDBOOK],
  ['Which class do I book on trains?', /second class/, HANDBOOK],
  ['When do I have to hand in receipts?', /within 30 days/, HANDBOOK],
  ['Who do I call in human resources?', /Marta Ilves/, HANDBOOK],
  ['How long can I work abroad?', /30 days/, HANDBOOK],
  ['rated power of the KX-200', /2\.2 kW/, PUMP],
  ['How often do I clean the strainer?', /once a month/, PUMP],
  ['For how many years are spare parts available?', /ten years/, PUMP],
  ['motor protection trips, what now?', /impeller may be blocked/, PUMP],
  ['What is the protection class?', /IP55/, PUMP],
  ['From how far away could the light be seen?', /21 nautical miles/, LIGHTHOUSE],
  ['When was the lamp electrified?', /1952/, LIGHTHOUSE],
  ['Do children pay admission?', /under 12/, LIGHTHOUSE],
  ['Who is the mayor of Vilsund?', null],
  ['What is the maximum speed of the delivery vans?', null],
  ['What is the warranty on the lighthouse lamp?', null],
];

const embedder = new HashingEmbedder();
const shelf: PassageShelf = new MiniSearchPassageIndex().newShelf();
const sources = new Map<string, AnswerSource>();

function blocksOf(text: string): readonly DocumentBlock[] {
  const blocks: DocumentBlock[] = [];
  let page = text.includes('\n---\n') ? 1 : null;
  let heading: string | null = null;
  for (const line of text.trim().split('\n')) {
    if (line === '---') page = (page ?? 1) + 1;
    else if (line.startsWith('# ')) heading = line.slice(2);
    else blocks.push({ text: line, page, heading });
  }
  return blocks;
}

beforeAll(async () => {
  for (const [filename, text] of Object.entries(DOCUMENTS)) {
    const passages = cutPassages(blocksOf(text));
    const vectors = await embedder.embed(
      passages.map((passage) => passage.text),
      new AbortController().signal,
    );
    const added = passages.map(({ text, heading, page }, n) => {
      const id = `${filename}.${n}`;
      sources.set(id, { fileId: filename, filename, page, quote: heading === null ? text : `${heading}\n${text}` });
      return { id, group: filename, heading: searchedHeading(filename, heading), text, vector: vectors[n] ?? null };
    });
    await shelf.add(added);
  }
});

async function passagesFor(question: string): Promise<readonly AnswerSource[]> {
  const [vector] = await embedder.embed([question], new AbortController().signal);
  const hits = shelf.search({ text: question, vector: vector ?? null, vectorWeight: embedder.weight, limit: 6 });
  return hits.map(({ id }) => sources.get(id)!);
}

describe('questions about three documents', () => {
  it('are answered by the first quote, or honestly not at all', async () => {
    const outcomes: string[] = [];
    for (const [question, answer, file = ''] of QUESTIONS) {
      const quote = quotesFor(question, await passagesFor(question))?.[1] ?? null;
      const isRight = quote === null ? answer === null : answer?.test(quote) === true && quote.includes(file);
      if (!isRight) outcomes.push(`${question} -> ${quote}`);
    }
    expect(outcomes).toEqual([]);
  });

  it('that come near an answer get what is nearest', async () => {
    const question = 'How do I stop the whistling?';
    expect(nearestQuote(question, await passagesFor(question))).toContain('the flow is throttled');
    const other = 'Who is the chief executive officer?';
    expect(nearestQuote(other, await passagesFor(other))).toBeNull();
  });
});
