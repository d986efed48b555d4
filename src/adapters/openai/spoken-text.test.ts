import { describe, expect, it } from 'vitest';
import type { ModelDelta } from '../../ports/chat-model.js';
import { SpokenText } from './spoken-text.js';

const CALL = '{"name": "run_query", "arguments": {"sql": "SELECT 1"}}';

function heard(text: string, { size = text.length, waits = false, tools = ['run_query'] } = {}) {
  const spoken = new SpokenText(tools, waits);
  const pieces = text.match(new RegExp(`[^]{1,${size || 1}}`, 'g')) ?? [];
  const deltas: ModelDelta[] = [
    ...pieces.flatMap((piece) => [...spoken.passed([{ kind: 'text', text: piece }])]),
    ...spoken.rest(),
  ];
  const said = deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('');
  const calls = deltas.flatMap((delta) => (delta.kind === 'call' ? [[delta.name, delta.arguments]] : []));
  return { said, calls, unmarked: spoken.unmarked };
}

describe('SpokenText', () => {
  describe.each([1, 2, 3, 7, 1000])('in pieces of %d', (size) => {
    it.each([
      ['North leads.', 'North leads.'],
      ['<think>Let me see.</think>\n\nNorth leads.', 'North leads.'],
      ['[THINK]hm[/THINK]North', 'North'],
      ['North.<think>Was that right?', 'North.'],
      ['<think>\n\n</think>\n\nNorth', 'North'],
      ['<think>for ever', ''],
      ['1 < 2 and <b>bold</b>', '1 < 2 and <b>bold</b>'],
    ])('says of %j: %j', (text, said) => {
      expect(heard(text, { size })).toMatchObject({ said, calls: [] });
    });

    it.each([
      [`<tool_call>\n${CALL}\n</tool_call>`, ''],
      [`<tool_call>${CALL}`, ''],
      [CALL, ''],
      ['```json\n' + CALL + '\n```', ''],
      [`[${CALL}]`, ''],
      [`<think>I need rows.</think>${CALL}`, ''],
      [`I look. <tool_call>${CALL}</tool_call>`, 'I look. '],
    ])('takes %j for a call', (text, said) => {
      const calls = [['run_query', '{"sql":"SELECT 1"}']];
      expect(heard(text, { size })).toMatchObject({ said, calls });
    });

    it.each([
      ['{"name": "drop", "arguments": {}}'],
      ['```sql\nSELECT 1\n```\nThat is it.'],
      ['<tool_call>{"name": "drop", "arguments": {}}</tool_call>'],
      [`The call would be ${CALL}`],
      ['[1] says so.'],
      [`\`\`\`${' \n'.repeat(5_000)}.`],
    ])('leaves %j as it is', (text) => {
      expect(heard(text, { size })).toMatchObject({ said: text, calls: [] });
    });

    it('keeps back thoughts that have an end alone, when it waits', () => {
      const told = heard('Let me see.\n</think>\nNorth leads.', { size, waits: true });
      expect(told).toEqual({ said: 'North leads.', calls: [], unmarked: true });
    });

    it('waits for nothing else', () => {
      expect(heard('North leads.', { size, waits: true }).said).toBe('North leads.');
      expect(heard(CALL, { size, waits: true }).calls).toHaveLength(1);
    });
  });

  it('reads both calls of one message, arguments that were written as text, and those called parameters', () => {
    expect(heard(`<tool_call>${CALL}</tool_call>\n<tool_call>${CALL}</tool_call>`).calls).toHaveLength(2);
    for (const given of ['"arguments": "{}"', '"parameters": {}'])
      expect(heard(`{"name": "run_query", ${given}}`).calls).toEqual([['run_query', '{}']]);
  });

  it('takes nothing for a call where no tool is on offer', () => {
    expect(heard(CALL, { tools: [] })).toMatchObject({ said: CALL, calls: [] });
  });
});
