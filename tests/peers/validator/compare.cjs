// Compares what the glTF validator says of sources and of what was saved from them.
//   node compare.cjs INSTALL_FOLDER LIST
// LIST has a line "source<TAB>output" for each saved file. Prints every code that an output has more often than its
// source, then a summary; exit code 1 where there is one.
'use strict';
const fs = require('fs');
const path = require('path');

const [installFolder, list] = process.argv.slice(2);
const validator = require(path.join(installFolder, 'node_modules', 'gltf-validator'));

const beside = file => uri =>
    fs.promises.readFile(path.join(path.dirname(file), decodeURIComponent(uri))).then(data => new Uint8Array(data));

// Errors and warnings by code: how often, and where first.
async function issuesOf(file) {
    const bytes = new Uint8Array(fs.readFileSync(file));
    const report = await validator.validateBytes(
        bytes, {uri: path.basename(file), maxIssues: 0, externalResourceFunction: beside(file)});
    const issues = new Map();
    for (const message of report.issues.messages) {
        if (message.severity > 1)
            continue;
        const known = issues.get(message.code) ?? {count: 0, pointer: message.pointer, text: message.message};
        ++known.count;
        issues.set(message.code, known);
    }
    return issues;
}

async function main() {
    const sources = new Map();
    let files = 0, findings = 0;
    for (const line of fs.readFileSync(list, 'utf8').split('\n')) {
        const [source, output] = line.split('\t');
        if (!output)
            continue;
        ++files;
        if (!sources.has(source))
            sources.set(source, await issuesOf(source));
        for (const [code, issue] of await issuesOf(output)) {
            const before = sources.get(source).get(code)?.count ?? 0;
            if (issue.count <= before)
                continue;
            ++findings;
            console.log(`${output}: ${code} ${issue.count} times (source: ${before}), ${issue.pointer}: ${issue.text}`);
        }
    }
    console.log(`validator ${validator.version()}: ${files} saved files of ${sources.size} sources, ${findings} findings`);
    return findings === 0 && files > 0 ? 0 : 1;
}

main().then(code => process.exit(code), error => {
    console.error(error);
    process.exit(1);
});
