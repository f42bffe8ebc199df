import { closeSync } from 'node:fs';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { type PostgresModule, throwAfterCrash } from './embeddedCrash.ts';

const OWNER_BITS = 0o7700;

/** The part of Emscripten's file system that we use. An open file has the descriptor `nfd`. */
type EmscriptenFs = {
  chmod(path: unknown, mode: number, ...rest: unknown[]): void;
  readonly streams: readonly ({ readonly nfd?: number } | null | undefined)[];
};

/** The files of the embedded database, readable only by the user that runs the server. PGlite sets modes itself, so a umask is not enough. */
export class PrivateNodeFs extends NodeFS {
  readonly #onCrash: (error: unknown) => void;
  #fs: EmscriptenFs | undefined;

  /** `onCrash` is called when PostgreSQL ends itself. */
  constructor(folder: string, onCrash: (error: unknown) => void) {
    super(folder);
    this.#onCrash = onCrash;
  }

  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...parameters);
    const prepare = (module: PostgresModule & { FS: EmscriptenFs }) => {
      const { FS } = module;
      const { chmod } = FS;
      FS.chmod = (path, mode, ...rest) => chmod(path, mode & OWNER_BITS, ...rest);
      this.#fs = FS;
      throwAfterCrash(module, this.#onCrash);
    };
    const preRun = [...(emscriptenOpts.preRun ?? []), prepare] as typeof emscriptenOpts.preRun;
    return { emscriptenOpts: { ...emscriptenOpts, ...(preRun ? { preRun } : {}) } };
  }

  /** Closes the files that a PostgreSQL which ended itself has left open. */
  closeLeftOpen(): void {
    for (const stream of this.#fs?.streams ?? []) if (stream?.nfd !== undefined) closeSync(stream.nfd);
    this.#fs = undefined;
  }
}
