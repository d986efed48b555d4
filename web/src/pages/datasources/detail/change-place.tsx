import { t } from '@lingui/core/macro';
import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../../app/client.js';
import { useChange } from '../../../shared/use-change.js';
import type { Datasource, FetchPlace, Place } from '../../../shared/wire.js';
import { Form } from '../../../ui/form.js';
import { PlaceFields, type PlaceSource } from '../place-fields.js';

interface ChangePlaceProps {
  readonly id: string;
  readonly place: Place;
  readonly onChanged: (answer: { readonly datasource: Datasource }) => void;
}

/** Changes where a datasource is fetched from, and as whom. */
export function ChangePlace(props: ChangePlaceProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        {t`Change`}
      </Button>
      <Modal opened={isOpen} onClose={close} title={t`Where it comes from`} size="lg" centered>
        <PlaceForm {...props} onClose={close} />
      </Modal>
    </>
  );
}

function PlaceForm({ id, place, onChanged, onClose }: ChangePlaceProps & { readonly onClose: () => void }): ReactNode {
  const [wanted, setWanted] = useState<FetchPlace>(() => shownOf(place));
  const change = useChange({
    change: () =>
      call(api.PATCH('/api/v1/secure/datasource/place', { body: { id, ...changesOf(shownOf(place), wanted) } })),
    says: t`Saved. It counts from the next fetch on.`,
    done: (answer) => {
      onChanged(answer);
      onClose();
    },
  });
  return (
    <Form saving={change} problem={t`It was not saved`} action={t`Save`} onSubmit={change.mutate} onCancel={onClose}>
      <PlaceFields source={sourceOf(place.kind)} place={wanted} onChange={setWanted} isKept />
    </Form>
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
