// Validates glTF files with the Khronos validator: node validate.mjs FILE...
// Prints an array of {file, errors, warnings, messages: [{code, severity, pointer, message}]}; severity 0 is an error.
import { readFileSync } from 'node:fs';
import validator from 'gltf-validator';

const results = [];
for (const file of process.argv.slice(2)) {
	const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { uri: file, maxIssues: 0 });
	results.push({
		file,
		errors: report.issues.numErrors,
		warnings: report.issues.numWarnings,
		messages: report.issues.messages.filter((m) => m.severity < 2),
	});
}
console.log(JSON.stringify(results));
