import { t } from '@lingui/core/macro';
import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { IconBell, IconDots } from '../../ui/icons.js';
import { AlertMe, onlyFigureIn } from '../alerts/alert-me.js';
import type { Board, BoardView } from './boards.queries.js';
import { useFigure } from './tile.js';
import classes from './boards.module.css';

interface TileMenuProps {
  readonly tile: Board['tiles'][number];
  /** What it is looked at through. */
  readonly view: BoardView;
}

/** What can be done with a figure by whoever reads the board. */
export function TileMenu({ tile, view }: TileMenuProps): ReactNode {
  return tile.kind === 'figure' && <FigureMenu tile={tile} view={view} />;
}

function FigureMenu({ tile, view: { range, filters } }: TileMenuProps): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  const { title, datasource_id: datasourceId, datasource_ids: others, plan, sql } = tile;
  const value = onlyFigureIn(useFigure(tile).data?.data ?? null, plan);
  if (value === null || datasourceId === null) return null;
  const name = title ?? t`Figure`;
  const isViewed = range !== null || filters.length > 0;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            className={classes.menu}
            aria-label={t`Actions for ${name}`}
          >
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconBell aria-hidden />} onClick={open}>
            {t`Alert me`}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <AlertMe
        figure={{ datasourceId, others, name, value, plan, dbquery: sql ?? '' }}
        note={isViewed ? t`The alert watches all rows, whatever time and filters the board shows.` : null}
        opened={opened}
        onClose={close}
      />
    </>
  );
}
