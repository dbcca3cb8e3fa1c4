import manifest from './package.json';

/** The version of this service, from its package. */
export const version: string = manifest.version;
