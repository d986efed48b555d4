import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Failure } from './states.js';

interface FormProps {
  /** Of a dialog, which shows its title itself. */
  readonly label?: string;
  /** Of a form that stands on the page as a card. */
  readonly title?: string;
  /** How saving goes. */
  readonly saving: { readonly isPending: boolean; readonly error: Error | null };
  /** What is said when it fails. */
  readonly problem: string;
  /** What the button says. */
  readonly action: string;
  readonly disabled?: boolean;
  /** What else can be done, beside the button. */
  readonly more?: ReactNode;
  readonly onSubmit: () => void;
  readonly onCancel?: () => void;
  readonly children: ReactNode;
}

/** Fields, what went wrong, and the button that saves. */
export function Form(props: FormProps): ReactNode {
  const { label, title, saving, problem, action, disabled = false, more, onSubmit, onCancel, children } = props;
  const isCard = title !== undefined;
  return (
    <form
      {...(isCard && { className: 'card' })}
      aria-label={label ?? title}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack gap="md" {...(isCard && { p: 'lg' })}>
        {isCard && <Title order={2}>{title}</Title>}
        {children}
        {saving.error !== null && <Failure error={saving.error} title={problem} />}
        <Group justify={isCard ? 'flex-start' : 'flex-end'}>
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {t`Cancel`}
            </Button>
          )}
          <Button type="submit" loading={saving.isPending} disabled={disabled}>
            {action}
          </Button>
          {more}
        </Group>
      </Stack>
    </form>
  );
}

/** Of a button that begins a change, and shows that it is under way. */
export function begins<A extends readonly unknown[]>(
  { isPending, mutate }: { readonly isPending: boolean; readonly mutate: (...what: A) => void },
  ...what: A
) {
  return {
    loading: isPending,
    onClick: (): void => {
      mutate(...what);
    },
  };
}

/** What a field shows, and who hears of a change. */
export interface Field<T> {
  readonly value: T;
  readonly onChange: (value: T) => void;
}

export interface Draft<T> {
  readonly draft: T;
  readonly change: (changes: Partial<T>) => void;
  readonly field: <K extends keyof T>(name: K) => Field<T[K]>;
}

/** What is filled in, by its fields' names. */
export function useDraft<T extends object>(start: T | (() => T)): Draft<T> {
  const [draft, setDraft] = useState(start);
  const change = (changes: Partial<T>): void => {
    setDraft((known) => ({ ...known, ...changes }));
  };
  return { draft, change, field: fieldsOf(draft, change) };
}

/** The fields of something that is changed in parts. */
export function fieldsOf<T extends object>(whole: T, change: (changes: Partial<T>) => void): Draft<T>['field'] {
  return (name) => ({
    value: whole[name],
    onChange: (value) => {
      const changes: Partial<T> = {};
      changes[name] = value;
      change(changes);
    },
  });
}

/** Hears what is typed or chosen in a field of the browser. */
export function typed(set: (text: string) => void) {
  return ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void => {
    set(currentTarget.value);
  };
}

/** The same of a box or a switch. */
export function ticked(set: (isOn: boolean) => void) {
  return ({ currentTarget }: { readonly currentTarget: { readonly checked: boolean } }): void => {
    set(currentTarget.checked);
  };
}

/** Hears a choice that can't be taken back. */
export function chosen(set: (value: string) => void) {
  return (value: string | null): void => {
    if (value !== null) set(value);
  };
}

/** Hears numbers, while a field that is being typed in may hold none. */
export function counted(set: (value: number) => void) {
  return (value: number | string): void => {
    if (typeof value === 'number') set(value);
  };
}

export function textField({ value, onChange }: Field<string>) {
  return { value, onChange: typed(onChange) };
}

export function switchField({ value, onChange }: Field<boolean>) {
  return { checked: value, onChange: ticked(onChange) };
}
