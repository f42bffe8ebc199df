import { ConfigError, type Environment } from './environment.ts';

/** A bucket with S3's protocol. `url` includes the bucket. */
export type S3Config = {
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** Where the contents of files are kept; undefined for the database. */
export function readS3(env: Environment): S3Config | undefined {
  const { S3_URL: url, S3_REGION: region, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!url) {
    if (accessKeyId || secretAccessKey)
      throw new ConfigError('S3_URL', 'is missing: the S3 keys are of no use without it');
    return undefined;
  }
  if (!accessKeyId) throw new ConfigError('S3_ACCESS_KEY_ID', 'is missing: S3_URL needs it');
  if (!secretAccessKey) throw new ConfigError('S3_SECRET_ACCESS_KEY', 'is missing: S3_URL needs it');
  return { url, region, accessKeyId, secretAccessKey };
}
