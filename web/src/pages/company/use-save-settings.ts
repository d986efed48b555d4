import { t } from '@lingui/core/macro';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api, call } from '../../app/client.js';
import { keys } from '../../shared/keys.js';
import { told } from '../../shared/toast.js';
import type { Wire } from '../../shared/wire.js';
import { SETTINGS, type Config } from './company.queries.js';

type Saving = UseMutationResult<Wire['ChangedSettingsResponse'], Error, Config>;

/** Merges into the company's settings; null removes a name. */
export function useSaveSettings(): Saving {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (config: Config) => call(api.PATCH('/api/v1/secure/settings', { body: { config: { ...config } } })),
    onSuccess: () => {
      told(t`The settings were saved.`);
      void queries.invalidateQueries({ queryKey: keys.capabilities });
      return queries.invalidateQueries({ queryKey: SETTINGS });
    },
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
