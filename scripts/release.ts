import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, describeError } from '../server/commands/commandError.ts';
import { ROOT } from './build.ts';
import { runTool } from './runTasks.ts';

const FOLDER = join(ROOT, 'release');

// npm run release: writes the files of a release into ./release/. It publishes nothing and changes nothing else.
async function run(): Promise<void> {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const tag = `v${version}`;
  if (git('status', '--porcelain') !== '') throw new CommandError('there are changes that are not committed');
  if (git('tag', '--list', tag) !== '') {
    throw new CommandError(`${tag} is released already: raise "version" in package.json and commit it`);
  }
  console.log(`rubadub: checking ${git('rev-parse', '--short', 'HEAD')} ...`);
  const problems = await runTool(ROOT, process.execPath, join(ROOT, 'scripts', 'check.ts'));
  if (problems.length > 0) throw new CommandError(`the checks fail\n${problems.join('\n')}`);
  const files = writeFiles(`rubadub-${version}`);
  console.log(`rubadub: ${tag} is in release/: ${files.join(', ')}

  Next:
    npm test                                         if it has not passed for this commit
    npm run audit                                    known vulnerabilities of the packages
    git tag -s ${tag} -m 'Rubadub ${version}' && git push origin ${tag}
    Publish the files of release/ with the tag, with what changed and what an operator must do.`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
}

function writeFiles(name: string): string[] {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  const [archive, sbom, checksums] = [`${name}.tar.gz`, `${name}.cdx.json`, 'SHA256SUMS'] as const;
  // The product runs from its sources; the same commit gives the same archive.
  git('archive', '--format=tar.gz', `--prefix=${name}/`, `--output=${join(FOLDER, archive)}`, 'HEAD');
  writeFileSync(join(FOLDER, sbom), describePackages());
  const lines = [archive, sbom].map((file) => `${sha256Of(join(FOLDER, file))}  ${file}\n`);
  writeFileSync(join(FOLDER, checksums), lines.join(''));
  return [archive, sbom, checksums];
}

/** The software bill of materials (CycloneDX): every package of the lockfile with its version, licence and checksum. */
function describePackages(): string {
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const bill = JSON.parse(npm('sbom', ...options));
  // npm names the product after its folder.
  bill.metadata.component.name = 'rubadub';
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function npm(...args: string[]): string {
  return execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

function sha256Of(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

run().catch((error: unknown) => {
  console.error(`rubadub: ${describeError(error)}`);
  process.exitCode = 1;
});
