import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { CloseButton, Menu, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, type ReactNode } from 'react';
import { summaryQuery } from '../../shared/queries.js';
import { IconChevronDown } from '../../ui/icons.js';
import type { Answer } from './assistant.queries.js';
import type { Asked } from './use-asking.js';
import { choicesFor, firstPeriods, without, type Again, type Choices } from './plan-edits.js';
import classes from './understood.module.css';

export interface Asking {
  readonly datasourceId: string;
  /** Of the conversation, that one among them. */
  readonly datasourceIds: readonly string[];
  readonly isBusy: boolean;
  readonly ask: (asked: Asked) => void;
  /** Takes words to the place for the next question, to be changed there. */
  readonly edit: (question: string) => void;
}

/** How what was asked or understood is asked again. */
export const AskAgain = createContext<Asking | null>(null);

/** The same about the datasource of an answer. */
export function aboutAnswer(asking: Asking, { datasource_id: id }: Answer): Asking {
  if (id === null) return asking;
  return {
    ...asking,
    datasourceId: id,
    ask: (asked) => {
      asking.ask('plan' in asked ? { ...asked, datasource_id: id } : asked);
    },
  };
}

type Understood = NonNullable<Answer['understood']>;

/** What was understood, part by part; a part that is changed or taken away is asked again. */
export function UnderstoodChips({ understood }: { readonly understood: Understood }): ReactNode {
  const asking = useContext(AskAgain);
  return asking === null ? null : <Chips understood={understood} asking={asking} />;
}

function Chips({ understood, asking }: { readonly understood: Understood; readonly asking: Asking }): ReactNode {
  const { data: summary } = useQuery(summaryQuery(asking.datasourceId));
  const columns = summary?.columns ?? [];
  const periods = firstPeriods(understood, columns);
  const isLast = (kind: string): boolean => kind === 'order' || kind === 'chart';
  const chips = understood.parts.map((part) => ({
    last: isLast(part.kind),
    chip: (
      <Chip
        key={part.at}
        kind={part.kind}
        words={part.words}
        choices={choicesFor(part, understood, columns)}
        rest={without(part, understood)}
        asking={asking}
      />
    ),
  }));
  return (
    <div role="group" aria-label={t`What was understood`} className={classes.chips}>
      {chips.flatMap(({ last, chip }) => (last ? [] : [chip]))}
      {periods.length > 0 && <Chip kind="period" words={t`all time`} choices={periods} rest={null} asking={asking} />}
      {chips.flatMap(({ last, chip }) => (last ? [chip] : []))}
    </div>
  );
}

interface ChipProps {
  readonly kind: Understood['parts'][number]['kind'];
  readonly words: string;
  readonly choices: readonly Choices[];
  /** What is asked without it; null where it has to stay. */
  readonly rest: Again | null;
  readonly asking: Asking;
}

const CHANGES = {
  figure: msg`change the figure`,
  join: msg`change the join`,
  group: msg`change the group`,
  condition: msg`change the condition`,
  period: msg`change the period`,
  order: msg`change the order`,
  chart: msg`change the chart`,
} as const satisfies Record<ChipProps['kind'], MessageDescriptor>;

function Chip({ kind, words, choices, rest, asking }: ChipProps): ReactNode {
  const { isBusy, ask } = asking;
  const change = i18n._(CHANGES[kind]);
  return (
    <span className={classes.chip}>
      {choices.length === 0 ? (
        <Text span size="sm" className={classes.words}>
          {words}
        </Text>
      ) : (
        <Menu shadow="md" position="bottom-start" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <UnstyledButton className={classes.words} aria-label={`${words}: ${change}`}>
              {words} <IconChevronDown size={13} stroke={1.8} aria-hidden />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu} aria-label={change}>
            {choices.map((section) => (
              <Section key={section.heading} section={section} asking={asking} />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {rest !== null && (
        <CloseButton
          size="sm"
          radius="xl"
          // Not disabled, which would lose the keyboard's place.
          aria-disabled={isBusy}
          data-disabled={isBusy || undefined}
          aria-label={t`Ask again without: ${words}`}
          onClick={() => {
            if (!isBusy) ask(rest);
          }}
        />
      )}
    </span>
  );
}

function Section({ section, asking }: { readonly section: Choices; readonly asking: Asking }): ReactNode {
  return (
    <>
      <Menu.Label>{section.heading}</Menu.Label>
      {section.choices.map(({ name, again }, index) => (
        <Menu.Item
          key={index}
          disabled={asking.isBusy}
          onClick={() => {
            asking.ask(again);
          }}
        >
          {name}
        </Menu.Item>
      ))}
    </>
  );
}
