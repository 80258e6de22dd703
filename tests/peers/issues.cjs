// What the glTF validator says of files, as JSON: {file: {code: [severity, count]}}, errors (0) and warnings (1) only.
//   node issues.cjs NODE_MODULES FILE ...
'use strict';
const fs = require('fs');
const path = require('path');

const [modules, ...files] = process.argv.slice(2);
const validator = require(path.join(modules, 'gltf-validator'));

async function issuesOf(file) {
    const read = uri => fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri)));
    const options = {uri: path.basename(file), maxIssues: 0, externalResourceFunction: async uri =>
        new Uint8Array(await read(uri))};
    const issues = {};
    let messages;
    try {
        messages = (await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), options)).issues.messages;
    } catch (error) {
        messages = [{code: 'NOT_GLTF', severity: 0}];
    }
    for (const {code, severity} of messages)
        if (severity <= 1)
            issues[code] = [severity, (issues[code]?.[1] ?? 0) + 1];
    return issues;
}

async function main() {
    const all = {};
    for (const file of files)
        all[file] = await issuesOf(file);
    process.stdout.write(JSON.stringify(all));
}

main().catch(error => {
    console.error(error);
    process.exit(1);
});
