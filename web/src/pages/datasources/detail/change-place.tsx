import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { api, call } from '../../../app/client.js';
import { told } from '../../../shared/toast.js';
import type { Datasource, FetchPlace, Place } from '../../../shared/wire.js';
import { Failure } from '../../../ui/states.js';
import { PlaceFields, type PlaceSource } from '../place-fields.js';

interface ChangePlaceProps {
  readonly id: string;
  readonly place: Place;
  readonly onChanged: (saved: Datasource) => void;
}

/** Changes where a datasource is fetched from, and as whom. */
export function ChangePlace(props: ChangePlaceProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        <Trans>Change</Trans>
      </Button>
      <Modal opened={isOpen} onClose={close} title={t`Where it comes from`} size="lg" centered>
        <PlaceForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

function PlaceForm({ id, place, onChanged, onClose }: ChangePlaceProps & { readonly onClose: () => void }): ReactNode {
  const [wanted, setWanted] = useState<FetchPlace>(() => shownOf(place));
  const change = useMutation({
    mutationFn: () =>
      call(api.PATCH('/api/v1/secure/datasource/place', { body: { id, ...changesOf(shownOf(place), wanted) } })),
    onSuccess: ({ datasource }) => {
      onChanged(datasource);
      told(t`Saved. It counts from the next fetch on.`);
      onClose();
    },
  });
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    change.mutate();
  }
  return (
    <Stack component="form" gap="sm" onSubmit={submit}>
      <PlaceFields source={sourceOf(place.kind)} place={wanted} onChange={setWanted} isKept />
      {change.error !== null && <Failure error={change.error} title={t`It was not saved`} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" loading={change.isPending}>
          <Trans>Save</Trans>
        </Button>
      </Group>
    </Stack>
  );
}

function sourceOf(kind: string): PlaceSource {
  return kind === 'https' || kind === 's3' ? kind : 'database';
}

function shownOf({ kind, address, user, query }: Place): FetchPlace {
  const known = kind === 'https' || kind === 's3' || kind === 'mysql' ? kind : 'postgresql';
  return { kind: known, address, user, query };
}

/** What differs from what was shown. Secret and authority are never shown: what is written counts. */
function changesOf(shown: FetchPlace, { address, user = '', query = '', secret = '', ca = '' }: FetchPlace): object {
  return {
    ...(address === shown.address ? {} : { address }),
    ...(user === shown.user ? {} : { user }),
    ...(query === shown.query ? {} : { query }),
    ...(secret === '' ? {} : { secret }),
    ...(ca === '' ? {} : { ca }),
  };
}
