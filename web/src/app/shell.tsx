import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { ActionIcon, AppShell, Avatar, Burger, Group, Menu, NavLink, ScrollArea, Text, Tooltip } from '@mantine/core';
import { useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { roleName } from '../shared/format.js';
import { companyQuery } from '../shared/queries.js';
import { Connection } from '../ui/connection.js';
import { IconDeviceDesktop, IconKey, IconLogout, IconMoon, IconSun, IconUser } from '../ui/icons.js';
import { PRODUCT } from '../ui/page.js';
import { client } from './client.js';
import { PLACES, type Place } from './navigation.js';
import { useIsManager, useUser } from './session.js';
import { useDatasourceNews } from '../shared/datasource-news.js';
import classes from './shell.module.css';

/** What stays while pages change: navigation, who I am, how the connection is. */
export function Shell(): ReactNode {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useEffect(close, [close, pathname]);
  useDatasourceNews();
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a href="#content" className="skip">
        {t`Skip to content`}
      </a>
      <AppShell.Header className={classes.header}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={t`Navigation`}
          aria-expanded={isOpen}
        />
        <Link to="/" className={classes.brand}>
          <img src="/icon.svg" alt="" width={26} height={26} />
          <span>{PRODUCT}</span>
        </Link>
        <CompanyName />
        <Group gap="xs" ml="auto">
          <SchemeSwitch />
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="sm" className={classes.navbar}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={classes.main}>
        <Outlet />
      </AppShell.Main>
      <Connection />
    </AppShell>
  );
}

function CompanyName(): ReactNode {
  const { data: company } = useQuery(companyQuery);
  return (
    <Text size="sm" c="dimmed" truncate visibleFrom="sm" className={classes.company}>
      {company?.name}
    </Text>
  );
}

function Navigation(): ReactNode {
  const isManager = useIsManager();
  const { pathname } = useLocation();
  const shown = PLACES.filter(({ managersOnly }) => managersOnly !== true || isManager);
  return (
    <ScrollArea component="nav" aria-label={t`Main`}>
      {shown.map((place) => (
        <PlaceLink key={place.to} place={place} isHere={pathname === place.to || pathname.startsWith(`${place.to}/`)} />
      ))}
    </ScrollArea>
  );
}

function PlaceLink({ place, isHere }: { readonly place: Place; readonly isHere: boolean }): ReactNode {
  return (
    <NavLink
      component={Link}
      to={place.to}
      label={i18n._(place.label)}
      active={isHere}
      aria-current={isHere ? 'page' : undefined}
      leftSection={<place.icon size={18} aria-hidden />}
      className={classes.place}
    />
  );
}

const SCHEMES = {
  auto: { icon: IconDeviceDesktop, label: msg`same as the system`, next: 'light' },
  light: { icon: IconSun, label: msg`light`, next: 'dark' },
  dark: { icon: IconMoon, label: msg`dark`, next: 'auto' },
} as const;

function SchemeSwitch(): ReactNode {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { icon: Icon, label, next } = SCHEMES[colorScheme];
  const [now, then] = [i18n._(label), i18n._(SCHEMES[next].label)];
  const words = t`Colours: ${now}. Switch to: ${then}`;
  return (
    <Tooltip label={words}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={words}
        onClick={() => {
          setColorScheme(next);
        }}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}

function UserMenu(): ReactNode {
  const user = useUser();
  const { data: company } = useQuery(companyQuery);
  const name = `${user.first_name} ${user.last_name}`.trim();
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" radius="xl" aria-label={t`Account of ${user.email}`}>
          <Avatar size={30} radius="xl" color="accent" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <Text fw={600} truncate>
            {name === '' ? user.email : name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {user.email}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {company?.name} · {roleName(user.role)}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/account" leftSection={<IconUser />}>
          {t`Your account`}
        </Menu.Item>
        <Menu.Item component={Link} to="/api-keys" leftSection={<IconKey />}>
          {t`API keys`}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout />}
          onClick={() => {
            // The page forgets the user at once; that the service could not be told is no reason to stay.
            void client.signOut().catch(() => undefined);
          }}
        >
          {t`Sign out`}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
