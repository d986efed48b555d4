import { Anchor, Table } from '@mantine/core';
import { memo, type ReactNode } from 'react';
import Marked, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import classes from './markdown.module.css';

const PARTS: Components = {
  table: ({ children }) => (
    <Table.ScrollContainer minWidth={320} className={classes.table}>
      <Table>{children}</Table>
    </Table.ScrollContainer>
  ),
  thead: ({ children }) => <Table.Thead>{children}</Table.Thead>,
  tbody: ({ children }) => <Table.Tbody>{children}</Table.Tbody>,
  tr: ({ children }) => <Table.Tr>{children}</Table.Tr>,
  th: ({ children, style }) => <Table.Th style={style}>{children}</Table.Th>,
  td: ({ children, style }) => (
    <Table.Td className="numbers" style={{ ...style, whiteSpace: isShort(children) ? 'nowrap' : undefined }}>
      {children}
    </Table.Td>
  ),
  pre: ({ children }) => <pre tabIndex={0}>{children}</pre>,
  // Readers of Markdown make links of addresses; only those to our own pages are any here.
  a: ({ children, href }) => (isOwnPage(href) ? <Anchor href={href}>{children}</Anchor> : <>{children}</>),
  img: ({ alt }) => <>{alt}</>,
};

function isOwnPage(href = 'nowhere:'): boolean {
  return URL.canParse(href, location.href) && new URL(href, location.href).origin === location.origin;
}

/** A date or a name is not broken; the table scrolls where it has no room. */
function isShort(content: ReactNode): boolean {
  return typeof content === 'string' && content.length <= 20;
}

interface MarkdownProps {
  readonly text: string;
  /** An entry of a list, where it is more than that. */
  readonly entry?: Components['li'];
}

/** An answer's Markdown as elements; HTML in it stays text. */
export const Markdown = memo(function Markdown({ text, entry }: MarkdownProps): ReactNode {
  return (
    <div className={classes.markdown}>
      <Marked remarkPlugins={[remarkGfm]} components={entry === undefined ? PARTS : { ...PARTS, li: entry }}>
        {text}
      </Marked>
    </div>
  );
});
