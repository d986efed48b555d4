import { t } from '@lingui/core/macro';
import type { UseMutationResult } from '@tanstack/react-query';
import { api, call } from '../../app/client.js';
import { keys } from '../../shared/keys.js';
import { useChange } from '../../shared/use-change.js';
import type { Wire } from '../../shared/wire.js';
import { SETTINGS, type Config } from './company.queries.js';

type Saving = UseMutationResult<Wire['ChangedSettingsResponse'], Error, Config>;

/** Merges into the company's settings; null removes a name. */
export function useSaveSettings(): Saving {
  return useChange({
    change: (config: Config) => call(api.PATCH('/api/v1/secure/settings', { body: { config: { ...config } } })),
    says: t`The settings were saved.`,
    stale: [keys.capabilities, SETTINGS],
  });
}

/** A part of the settings as an object, whatever is stored there. */
export function partOf(config: Config, name: string): Config {
  const part = config[name];
  return typeof part === 'object' && part !== null && !Array.isArray(part) ? (part as Config) : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown): number | '' {
  return typeof value === 'number' ? value : '';
}
