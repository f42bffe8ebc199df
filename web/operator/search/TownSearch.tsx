import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Hit } from '../../../contract/operator/search.ts';
import { labelOf } from '../../ui/format.ts';
import { Icon } from '../../ui/icons.tsx';
import { operatorApi } from '../operatorApi.ts';
import styles from './TownSearch.module.css';

const PAUSE_MS = 150;
const MIN_LENGTH = 2;

/** One search box for the whole town, with hits while typing. */
export function TownSearch() {
  const navigate = useNavigate();
  const listId = useId();
  const search = useTownSearch();
  const open = (hit: Hit) => {
    search.clear();
    void navigate(pathOf(hit));
  };
  const { highlight, onKeyDown } = useHighlight(search, open);
  const isOpen = search.hits.length > 0;
  return (
    <search className={styles.box}>
      <TextInput
        aria-label="Search the town"
        placeholder="Order, name, phone, address… (Ctrl K)"
        leftSection={<Icon name="search" size={18} />}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${listId}-${highlight}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        value={search.text}
        onChange={(event) => search.type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <HitList id={listId} hits={search.hits} highlight={highlight} onOpen={open} />
      <p className={styles.state} aria-live="polite">
        {search.state}
      </p>
    </search>
  );
}

type TownSearchState = ReturnType<typeof useTownSearch>;

/** What is typed, and its hits after a pause. */
function useTownSearch() {
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const ask = useDebouncedCallback((typed: string) => setAsked(typed.trim()), PAUSE_MS);
  const isAsked = asked.length >= MIN_LENGTH && text.trim() !== '';
  const search = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) => operatorApi.searchTown({ query: { q: asked } }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const hits = isAsked ? (search.data?.items ?? []) : [];
  const type = (typed: string) => {
    setText(typed);
    ask(typed);
  };
  const clear = () => {
    setText('');
    setAsked('');
    ask.cancel();
  };
  // Otherwise the hits are of an earlier input.
  const isCurrent = asked === text.trim() && !search.isPlaceholderData;
  return { text, hits, isCurrent, state: stateOf(isAsked, search, hits.length), type, clear };
}

/** The index of the highlighted hit, and the keys that move it, open it or close the list. */
function useHighlight({ hits, isCurrent, clear }: TownSearchState, open: (hit: Hit) => void) {
  const [highlight, setHighlight] = useState(0);
  const first = hits[0]?.id;
  useEffect(() => setHighlight(0), [first]);
  const onKeyDown = (event: KeyboardEvent) => {
    // The Enter that ends a word in an input method opens nothing yet.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = hits[highlight];
    if (event.key === 'Escape') clear();
    else if (hits.length === 0) return;
    else if (step !== undefined) setHighlight((at) => (at + step + hits.length) % hits.length);
    else if (event.key === 'Enter' && chosen && isCurrent) open(chosen);
    else return;
    event.preventDefault();
  };
  return { highlight, onKeyDown };
}

type HitListProps = { id: string; hits: readonly Hit[]; highlight: number; onOpen: (hit: Hit) => void };

function HitList({ id, hits, highlight, onOpen }: HitListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[highlight]?.scrollIntoView({ block: 'nearest' });
  }, [highlight]);
  return (
    <div ref={list} id={id} role="listbox" aria-label="Found" className={hits.length > 0 ? styles.list : 'sr-only'}>
      {hits.map((hit, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox
        <div
          key={`${hit.kind} ${hit.id}`}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === highlight}
          className={styles.item}
          onClick={() => onOpen(hit)}
        >
          <span className={styles.title}>{hit.title}</span>
          <span className={styles.detail}>{describe(hit)}</span>
        </div>
      ))}
    </div>
  );
}

function stateOf(
  isAsked: boolean,
  { isError, isFetched }: { isError: boolean; isFetched: boolean },
  found: number,
): string {
  if (!isAsked) return '';
  if (isError) return 'The search did not work. Please type again.';
  return isFetched && found === 0 ? 'Nothing was found' : '';
}

function pathOf({ kind, id, orderId }: Hit): string {
  if (kind === 'person') return `/operator/people/${id}`;
  return kind === 'case' ? `/operator/cases/${id}` : `/operator/orders/${orderId ?? id}`;
}

const KIND_WORDS: Record<Hit['kind'], string> = {
  order: 'Order',
  case: 'Case',
  delivery: 'Delivery',
  person: 'Person',
};

function describe({ kind, detail, by, words }: Hit): string {
  const about = kind === 'person' ? detail : `${KIND_WORDS[kind]} · ${labelOf(detail).replaceAll('-', ' ')}`;
  if (by === 'number' || by === 'name') return about;
  return by === 'person' ? `${about} · ${words}` : `${about} · ${by} ${words}`;
}
