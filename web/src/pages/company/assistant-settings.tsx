import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, NumberInput, SimpleGrid, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { signOf, whole } from '../../shared/format.js';
import { capabilitiesQuery } from '../../shared/queries.js';
import { Failure } from '../../ui/states.js';
import type { Config } from './company.queries.js';
import { EvaluateModel } from './evaluate-model.js';
import { numberOf, partOf, textOf, useSaveSettings } from './use-save-settings.js';
import classes from './company.module.css';

interface Draft {
  readonly model: string;
  readonly language: string;
  readonly instructions: string;
  readonly fallback: boolean;
  readonly temperature: number | '';
  readonly answerSeconds: number | '';
  readonly toolCalls: number | '';
  readonly tokensPerDay: number | '';
  readonly budgetPerMonth: number | '';
}

function draftOf(config: Config): Draft {
  const own = partOf(config, 'assistant');
  const limits = partOf(own, 'limits');
  return {
    model: textOf(own.model),
    language: textOf(own.language),
    instructions: textOf(own.instructions),
    fallback: own.fallback === true,
    temperature: numberOf(own.temperature),
    answerSeconds: numberOf(limits.answer_seconds),
    toolCalls: numberOf(limits.tool_calls),
    tokensPerDay: numberOf(limits.tokens_per_day),
    budgetPerMonth: numberOf(limits.budget_per_month),
  };
}

/** What is left empty is as the service is configured. */
function configOf(draft: Draft): Config {
  const given = <T,>(value: T | ''): T | null => (value === '' ? null : value);
  return {
    assistant: {
      model: given(draft.model.trim()),
      language: given(draft.language.trim()),
      instructions: given(draft.instructions.trim()),
      fallback: draft.fallback,
      temperature: given(draft.temperature),
      limits: {
        answer_seconds: given(draft.answerSeconds),
        tool_calls: given(draft.toolCalls),
        tokens_per_day: given(draft.tokensPerDay),
        budget_per_month: given(draft.budgetPerMonth),
      },
    },
  };
}

/** Which model answers, how, and within which limits. */
export function AssistantSettings({ config }: { readonly config: Config }): ReactNode {
  const [draft, setDraft] = useState(() => draftOf(config));
  const save = useSaveSettings();
  const change = (changes: Partial<Draft>): void => {
    setDraft((known) => ({ ...known, ...changes }));
  };
  return (
    <form
      className={`card ${classes.part ?? ''}`}
      aria-label={t`Assistant`}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(configOf(draft));
      }}
    >
      <Stack gap="md">
        <Title order={2}>
          <Trans>Assistant</Trans>
        </Title>
        <InUse />
        <Voice draft={draft} change={change} />
        <Limits draft={draft} change={change} />
        {save.error !== null && <Failure error={save.error} title={t`The settings were not saved`} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            <Trans>Save</Trans>
          </Button>
          <EvaluateModel model={draft.model} />
        </Group>
      </Stack>
    </form>
  );
}

function InUse(): ReactNode {
  const assistant = useQuery(capabilitiesQuery).data?.assistant;
  if (assistant === undefined) return null;
  const { model, built_in: isBuiltIn, tokens_used_today: used, tokens_per_day: most } = assistant;
  return (
    <Text size="sm" c="dimmed">
      {isBuiltIn ? t`The built-in analyst answers. It needs no model and costs nothing.` : t`“${model}” answers.`}{' '}
      {used === null || most === null ? '' : t`${whole(used)} of ${whole(most)} tokens used today.`}
    </Text>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
}

function Voice({ draft, change }: PartProps): ReactNode {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
        <TextInput
          label={t`Model`}
          description={t`Leave empty to use the default model`}
          maxLength={200}
          value={draft.model}
          onChange={({ currentTarget }) => {
            change({ model: currentTarget.value });
          }}
        />
        <TextInput
          label={t`Language of answers`}
          description={t`Leave empty to answer in the language of the question`}
          placeholder={t`German, pt-BR`}
          maxLength={40}
          value={draft.language}
          onChange={({ currentTarget }) => {
            change({ language: currentTarget.value });
          }}
        />
      </SimpleGrid>
      <Textarea
        label={t`Instructions`}
        description={t`How answers should be written, and what your terms mean. The built-in analyst does not use them.`}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={4000}
        value={draft.instructions}
        onChange={({ currentTarget }) => {
          change({ instructions: currentTarget.value });
        }}
      />
      <Switch
        label={t`Use the built-in analyst when the model can’t be reached`}
        description={t`The answer says so`}
        checked={draft.fallback}
        onChange={({ currentTarget }) => {
          change({ fallback: currentTarget.checked });
        }}
      />
    </>
  );
}

function Limits({ draft, change }: PartProps): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Figure
        label={t`Seconds per answer`}
        range={[5, 600]}
        value={draft.answerSeconds}
        onChange={(answerSeconds) => {
          change({ answerSeconds });
        }}
      />
      <Figure
        label={t`Tool calls per answer`}
        range={[1, 40]}
        value={draft.toolCalls}
        onChange={(toolCalls) => {
          change({ toolCalls });
        }}
      />
      <Figure
        label={t`Tokens per day`}
        range={[0, 1_000_000_000_000]}
        value={draft.tokensPerDay}
        onChange={(tokensPerDay) => {
          change({ tokensPerDay });
        }}
      />
      <Figure
        label={t`Budget per month`}
        isAmount
        range={[0, 1_000_000_000]}
        value={draft.budgetPerMonth}
        onChange={(budgetPerMonth) => {
          change({ budgetPerMonth });
        }}
      />
    </SimpleGrid>
  );
}

interface FigureProps {
  readonly label: string;
  readonly range: readonly [number, number];
  /** It may have a fraction. */
  readonly isAmount?: boolean;
  readonly value: number | '';
  readonly onChange: (value: number | '') => void;
}

function Figure({ label, range: [least, most], isAmount = false, value, onChange }: FigureProps): ReactNode {
  return (
    <NumberInput
      label={label}
      placeholder={t`default`}
      allowDecimal={isAmount}
      thousandSeparator={signOf('group')}
      min={least}
      max={most}
      value={value}
      onChange={(next) => {
        onChange(typeof next === 'number' ? next : '');
      }}
    />
  );
}
