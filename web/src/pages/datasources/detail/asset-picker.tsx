import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { whole } from '../../../shared/format.js';
import { assetsQuery } from '../../../shared/queries.js';
import type { Datasource } from '../../../shared/wire.js';

interface AssetPickerProps {
  readonly datasource: Datasource;
  /** Empty: all. */
  readonly value: string;
  readonly onChange: (asset: string) => void;
}

const SEARCH_AFTER_MS = 200;

/** One value of the subject column, found by a part of it among however many there are. */
export function AssetPicker({ datasource, value, onChange }: AssetPickerProps): ReactNode {
  const [search, setSearch] = useState('');
  const [asked] = useDebouncedValue(search === value || search === t`All` ? '' : search, SEARCH_AFTER_MS);
  const { data } = useInfiniteQuery(assetsQuery(datasource.id, asked));
  const found = data?.pages.flatMap(({ metadata }) => metadata) ?? [];
  const more = (data?.pages[0]?.total ?? 0) - found.length;
  const names = [...new Set([...(value === '' ? [] : [value]), ...found])];
  return (
    <Select
      label={datasource.config.metafield}
      searchable
      data={[
        { value: '', label: t`All` },
        ...names.map((name) => ({ value: name, label: name })),
        ...(more > 0 ? [{ value: '\u0000', label: t`${whole(more)} more: type to find them`, disabled: true }] : []),
      ]}
      // The service has searched already.
      filter={({ options }) => options}
      nothingFoundMessage={t`Nothing found`}
      value={value}
      allowDeselect={false}
      searchValue={search}
      onSearchChange={setSearch}
      onChange={(chosen) => {
        onChange(chosen ?? '');
      }}
      onFocus={(event) => {
        event.currentTarget.select();
      }}
    />
  );
}
