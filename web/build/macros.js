import { fileURLToPath } from 'node:url';
import { transformAsync } from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { getConfig } from '@lingui/conf';

const linguiConfig = getConfig({ configPath: fileURLToPath(new URL('../lingui.config.js', import.meta.url)) });

/** Makes calls of what is written as `t` and `Trans`. English stays in them, so that it needs no catalogue. */
export function linguiMacros() {
  return {
    name: 'lingui-macros',
    enforce: 'pre',
    transform(code, id) {
      const [file] = id.split('?');
      if (!/\.tsx?$/.test(file) || !code.includes('@lingui/')) return null;
      return transformAsync(code, {
        ...{ filename: file, babelrc: false, configFile: false, sourceMaps: true },
        parserOpts: { plugins: file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'] },
        plugins: [[macros, { stripMessageField: false, linguiConfig }]],
      });
    },
  };
}
