import { NodeFS } from '@electric-sql/pglite/nodefs';

const OWN_BITS = 0o7700;

/** The part of Emscripten's file system that we change. */
type EmscriptenFs = { chmod(path: unknown, mode: number, ...rest: unknown[]): void };

/** The files of the embedded database, open to their own user only. PGlite sets modes itself, so a umask is not enough. */
export class PrivateNodeFs extends NodeFS {
  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...parameters);
    const keepPrivate = ({ FS }: { FS: EmscriptenFs }) => {
      const { chmod } = FS;
      FS.chmod = (path, mode, ...rest) => chmod(path, mode & OWN_BITS, ...rest);
    };
    const preRun = [...(emscriptenOpts.preRun ?? []), keepPrivate] as typeof emscriptenOpts.preRun;
    return { emscriptenOpts: { ...emscriptenOpts, ...(preRun ? { preRun } : {}) } };
  }
}
