import { t } from '@lingui/core/macro';
import { NumberInput, SimpleGrid, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { signOf, whole } from '../../shared/format.js';
import { capabilitiesQuery } from '../../shared/queries.js';
import { Form, switchField, textField, type Draft, type Field, useDraft } from '../../ui/form.js';
import { useUnsaved } from '../../ui/use-unsaved.js';
import type { Config } from './company.queries.js';
import { EvaluateModel } from './evaluate-model.js';
import { numberOf, partOf, textOf, useSaveSettings } from './use-save-settings.js';

interface Own {
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

function draftOf(config: Config): Own {
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
function configOf(draft: Own): Config {
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
  const form = useDraft(() => draftOf(config));
  const { draft } = form;
  const save = useSaveSettings();
  useUnsaved(JSON.stringify(configOf(draft)) !== JSON.stringify(configOf(draftOf(config))));
  return (
    <Form
      title={t`Assistant`}
      saving={save}
      problem={t`The settings were not saved`}
      action={t`Save`}
      more={<EvaluateModel model={draft.model} />}
      onSubmit={() => {
        save.mutate(configOf(draft));
      }}
    >
      <InUse />
      <Voice {...form} />
      <Limits {...form} />
    </Form>
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

function Voice({ field }: Draft<Own>): ReactNode {
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
        <TextInput
          label={t`Model`}
          description={t`Leave empty to use the default model`}
          maxLength={200}
          {...textField(field('model'))}
        />
        <TextInput
          label={t`Language of answers`}
          description={t`Leave empty to answer in the language of the question`}
          placeholder={t`German, pt-BR`}
          maxLength={40}
          {...textField(field('language'))}
        />
      </SimpleGrid>
      <Textarea
        label={t`Instructions`}
        description={t`How answers should be written, and what your terms mean. The built-in analyst does not use them.`}
        autosize
        minRows={3}
        maxRows={12}
        maxLength={4000}
        {...textField(field('instructions'))}
      />
      <Switch
        label={t`Use the built-in analyst when the model can’t be reached`}
        description={t`The answer says so`}
        {...switchField(field('fallback'))}
      />
    </>
  );
}

function Limits({ field }: Draft<Own>): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <Figure label={t`Seconds per answer`} range={[5, 600]} {...field('answerSeconds')} />
      <Figure label={t`Tool calls per answer`} range={[1, 40]} {...field('toolCalls')} />
      <Figure label={t`Tokens per day`} range={[0, 1_000_000_000_000]} {...field('tokensPerDay')} />
      <Figure label={t`Budget per month`} isAmount range={[0, 1_000_000_000]} {...field('budgetPerMonth')} />
    </SimpleGrid>
  );
}

interface FigureProps extends Field<number | ''> {
  readonly label: string;
  readonly range: readonly [number, number];
  /** It may have a fraction. */
  readonly isAmount?: boolean;
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
