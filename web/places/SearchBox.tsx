import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../ui/icons.tsx';
import styles from './SearchBox.module.css';
import type { LngLat, Place, Suggestion } from './searchClient.ts';
import { useAddressSearch } from './useAddressSearch.ts';

/**
 * A combobox that suggests up to five addresses, with arrow keys, Enter and Escape. Nothing is highlighted at first.
 * `onPick` gets the place while it is still being fetched; it is undefined if that fails.
 */
export function SearchBox({ near, onPick }: { near: LngLat; onPick: (place: Promise<Place | undefined>) => void }) {
  const { text, setText, suggestions, close, choose } = useAddressSearch(near);
  const [highlight, setHighlight] = useState(-1);
  const listId = useId();
  const isOpen = suggestions.length > 0;
  useEffect(() => setHighlight(-1), [suggestions]);

  const pick = (suggestion: Suggestion) => onPick(choose(suggestion));
  const onKeyDown = (event: KeyboardEvent) => {
    // The Enter that ends a word in an input method chooses nothing yet.
    if (!isOpen || event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setHighlight((at) => moveHighlight(at, step, suggestions.length));
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && suggestions[highlight]) pick(suggestions[highlight]);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.box}>
      <TextInput
        label="Search address"
        placeholder="Street and number, or a place"
        leftSection={<Icon name="search" size={18} />}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={highlight >= 0 ? `${listId}-${highlight}` : undefined}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        // Escape closes the list first, then the dialog around it, which listens before this box does.
        data-mantine-stop-propagation={isOpen}
      />
      {isOpen && <SuggestionList id={listId} suggestions={suggestions} highlight={highlight} onPick={pick} />}
    </div>
  );
}

function moveHighlight(at: number, step: number, count: number): number {
  if (at < 0) return step > 0 ? 0 : count - 1;
  return (at + step + count) % count;
}

function SuggestionList({
  id,
  suggestions,
  highlight,
  onPick,
}: {
  id: string;
  suggestions: readonly Suggestion[];
  highlight: number;
  onPick: (suggestion: Suggestion) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[highlight]?.scrollIntoView({ block: 'nearest' });
  }, [highlight]);
  return (
    <div ref={list} id={id} role="listbox" aria-label="Suggestions" className={styles.list}>
      {suggestions.map((one, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the combobox's, as its pattern asks
        <div
          key={one.mapbox_id}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === highlight}
          className={styles.item}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(one)}
        >
          <p className={styles.name}>{one.name}</p>
          <p className={styles.where}>{one.place_formatted ?? one.full_address}</p>
        </div>
      ))}
    </div>
  );
}
