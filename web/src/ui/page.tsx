import { t } from '@lingui/core/macro';
import { Anchor, Breadcrumbs, Group, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import classes from './page.module.css';

export const PRODUCT = 'Data Analytics';

interface Crumb {
  readonly label: string;
  readonly to: string;
}

interface PageProps {
  readonly title: string;
  /** What stands above the title and leads back. */
  readonly crumbs?: readonly Crumb[];
  readonly subtitle?: ReactNode;
  /** Buttons at the right of the title; below it on a narrow screen. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of every page: its title (also the window's), the way back, what can be done, and the content. */
export function Page({ title, crumbs = [], subtitle, actions, children }: PageProps): ReactNode {
  usePageTitle(title);
  return (
    <div className={classes.page}>
      {crumbs.length > 0 && (
        <Breadcrumbs mb={4} component="nav" aria-label={t`Breadcrumbs`} className={classes.crumbs}>
          {crumbs.map(({ label, to }) => (
            <Anchor key={to} component={Link} to={to} size="sm">
              {label}
            </Anchor>
          ))}
          <Text size="sm" c="dimmed" aria-current="page" truncate>
            {title}
          </Text>
        </Breadcrumbs>
      )}
      <Group justify="space-between" align="flex-start" gap="sm" mb="lg">
        <div className={classes.heading}>
          <Title order={1}>{title}</Title>
          {subtitle !== undefined && (
            <Text component="div" c="dimmed" size="sm" mt={4}>
              {subtitle}
            </Text>
          )}
        </div>
        {actions !== undefined && <Group gap="sm">{actions}</Group>}
      </Group>
      {children}
    </div>
  );
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${PRODUCT}`;
  }, [title]);
}
