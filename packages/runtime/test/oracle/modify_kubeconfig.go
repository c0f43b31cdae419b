package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
)

// kubeconfigCase is a change of the files in a folder, which texts call ROOT.
type kubeconfigCase struct {
	Files      map[string]string `json:"files"`
	Kubeconfig []string          `json:"kubeconfig"`
	Explicit   string            `json:"explicit"`
	Relativize bool              `json:"relativize"`
	// Set is a kubeconfig whose entries and current context replace others.
	Set            string              `json:"set"`
	Delete         map[string][]string `json:"delete"`
	CurrentContext *string             `json:"currentContext"`
}

func modifyKubeconfig(input json.RawMessage) (any, error) {
	parent, err := os.MkdirTemp("", "modify-kubeconfig-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(parent)
	root := filepath.Join(parent, "root")
	if err := os.Mkdir(root, 0o700); err != nil {
		return nil, err
	}
	var change kubeconfigCase
	if err := json.Unmarshal([]byte(strings.ReplaceAll(string(input), "ROOT", root)), &change); err != nil {
		return nil, err
	}
	for name, text := range change.Files {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	if err := apply(change, root); err != nil {
		return nil, err
	}
	return filesOf(root)
}

func apply(change kubeconfigCase, root string) error {
	paths := []string{}
	for _, name := range change.Kubeconfig {
		paths = append(paths, filepath.Join(root, name))
	}
	os.Setenv("KUBECONFIG", strings.Join(paths, string(filepath.ListSeparator)))
	options := clientcmd.NewDefaultPathOptions()
	if change.Explicit != "" {
		options.LoadingRules.ExplicitPath = filepath.Join(root, change.Explicit)
	}
	config, err := options.GetStartingConfig()
	if err != nil {
		return err
	}
	wanted, err := clientcmd.Load([]byte(change.Set))
	if err != nil {
		return err
	}
	for name, cluster := range wanted.Clusters {
		if known := config.Clusters[name]; known != nil {
			cluster.LocationOfOrigin = known.LocationOfOrigin
		}
		config.Clusters[name] = cluster
	}
	for name, user := range wanted.AuthInfos {
		if known := config.AuthInfos[name]; known != nil {
			user.LocationOfOrigin = known.LocationOfOrigin
		}
		config.AuthInfos[name] = user
	}
	for name, context := range wanted.Contexts {
		if known := config.Contexts[name]; known != nil {
			context.LocationOfOrigin = known.LocationOfOrigin
		}
		config.Contexts[name] = context
	}
	for _, name := range change.Delete["clusters"] {
		delete(config.Clusters, name)
	}
	for _, name := range change.Delete["users"] {
		delete(config.AuthInfos, name)
	}
	for _, name := range change.Delete["contexts"] {
		delete(config.Contexts, name)
	}
	if change.CurrentContext != nil {
		config.CurrentContext = *change.CurrentContext
	}
	return clientcmd.ModifyConfig(options, *config, change.Relativize)
}

func filesOf(root string) (any, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, entry := range entries {
		text, err := os.ReadFile(filepath.Join(root, entry.Name()))
		if err != nil {
			return nil, err
		}
		files[entry.Name()] = strings.NewReplacer(root, "ROOT", filepath.Dir(root), "PARENT").Replace(string(text))
	}
	return files, nil
}
