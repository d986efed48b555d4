import { t } from '@lingui/core/macro';
import { Button, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { datasourceListQuery } from '../../shared/queries.js';
import { begins } from '../../ui/form.js';
import { Failure } from '../../ui/states.js';
import { Result, useEvaluate } from '../datasources/detail/evaluations.js';

/** Whether the verified questions of a datasource are answered as well with that model, before it is saved. */
export function EvaluateModel({ model }: { readonly model: string }): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" disabled={model.trim() === ''} onClick={open}>
        {t`Evaluate first`}
      </Button>
      <Modal opened={opened} onClose={close} title={t`Evaluate “${model.trim()}”`} size="xl" centered>
        <Choice model={model.trim()} />
      </Modal>
    </>
  );
}

function Choice({ model }: { readonly model: string }): ReactNode {
  const datasources = useQuery(datasourceListQuery('', 0)).data?.datasources ?? [];
  const [chosen, setChosen] = useState('');
  const id = chosen === '' ? (datasources[0]?.id ?? '') : chosen;
  const evaluate = useEvaluate(id);
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        {t`Your current model and this one answer the verified questions of a datasource, side by side.`}
      </Text>
      <NativeSelect
        label={t`Datasource`}
        data={datasources.map(({ id: value, name: label }) => ({ value, label }))}
        value={id}
        onChange={({ currentTarget }) => {
          setChosen(currentTarget.value);
          evaluate.reset();
        }}
      />
      <Button disabled={id === ''} {...begins(evaluate, { models: ['', model] })}>
        {t`Evaluate`}
      </Button>
      {evaluate.error !== null && <Failure error={evaluate.error} title={t`The evaluation could not be started`} />}
      {evaluate.data !== undefined && <Result datasource={id} id={evaluate.data.id} />}
    </Stack>
  );
}
